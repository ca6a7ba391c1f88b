// Says so where the page ends early, as after a download that was interrupted.
"use strict";
addEventListener("DOMContentLoaded", () => {
    const message = document.getElementById("message");
    if (document.getElementById("end")) return;
    message.textContent = "A part of this page is missing: load it again.";
    message.hidden = false;
    document.documentElement.dataset.state = "failed";
});
