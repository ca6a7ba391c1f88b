//! The options of an import as flags.

use keypose::assets::import_options::ImportOptions;

/// Changes to models during import.
#[derive(clap::Args)]
#[command(next_help_heading = "Import options")]
pub struct Flags {
    /// Multiply all lengths: 0.01 for a model in centimetres
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    scale: Option<String>,
    /// The axis of the file that points up: x, y, z, -x, -y or -z; by default what the format says
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<String>,
    /// The axis of the file that the front looks along; by default z, or -y if z is up
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    forward: Option<String>,
    /// Import only meshes of this name; * is any text, ? any letter; can be repeated
    #[arg(long, value_name = "PATTERN")]
    mesh: Vec<String>,
    /// Leave out meshes of this name
    #[arg(long, value_name = "PATTERN")]
    skip_mesh: Vec<String>,
    /// Import only clips of this name
    #[arg(long, value_name = "PATTERN")]
    clip: Vec<String>,
    /// Leave out clips of this name
    #[arg(long, value_name = "PATTERN")]
    skip_clip: Vec<String>,
    /// Keep at most this many influences of a vertex, the strongest, 1 to 8
    #[arg(long, value_name = "COUNT")]
    influences: Option<String>,
    /// Drop influences with a smaller weight than this, 0 to 1, such as 0.01; each vertex keeps its strongest
    #[arg(long, value_name = "WEIGHT", allow_negative_numbers = true)]
    drop_weights: Option<String>,
    /// Normals: keep, flat, smooth, or smooth:ANGLE for smooth edges up to an angle in degrees
    #[arg(long, value_name = "HOW")]
    normals: Option<String>,
    /// Frames per second of clips, 1 to 240; keys that are not on a frame are sampled again
    #[arg(long, value_name = "FPS")]
    frame_rate: Option<String>,
    /// Remove keys as long as no point of the model moves farther than this, in metres
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    max_error: Option<String>,
    /// Copy the rotations of added clips: on a model with other proportions, feet may slide or sink, and hands miss each other
    #[arg(long)]
    no_retarget: bool,
    /// Keep the differences between rest poses when clips are added: a T-pose and arms that hang are not made to agree
    #[arg(long)]
    no_rest_fit: bool,
}

impl Flags {
    /// The first flag that changes a model, and no clips that are added to it.
    pub fn of_a_model(&self) -> Option<&'static str> {
        let flags = [
            ("--mesh", !self.mesh.is_empty()),
            ("--skip-mesh", !self.skip_mesh.is_empty()),
            ("--influences", self.influences.is_some()),
            ("--drop-weights", self.drop_weights.is_some()),
            ("--normals", self.normals.is_some()),
        ];
        flags.into_iter().find_map(|(flag, is_used)| is_used.then_some(flag))
    }

    /// The options.
    ///
    /// # Errors
    /// If a value is invalid or out of range, a sentence with the flag.
    pub fn options(&self) -> Result<ImportOptions, String> {
        let single = [
            ("--scale", &self.scale),
            ("--up", &self.up),
            ("--forward", &self.forward),
            ("--influences", &self.influences),
            ("--drop-weights", &self.drop_weights),
            ("--normals", &self.normals),
            ("--frame-rate", &self.frame_rate),
            ("--max-error", &self.max_error),
        ];
        let many = [
            ("--mesh", &self.mesh),
            ("--skip-mesh", &self.skip_mesh),
            ("--clip", &self.clip),
            ("--skip-clip", &self.skip_clip),
        ];
        let single = single.into_iter().filter_map(|(flag, value)| Some((flag, value.as_ref()?)));
        let many = many.into_iter().flat_map(|(flag, values)| values.iter().map(move |value| (flag, value)));
        let retarget = self.no_retarget.then(|| ["--retarget".to_owned(), "off".to_owned()]);
        let words = single.chain(many).flat_map(|(flag, value)| [flag.to_owned(), value.clone()]);
        let rests = self.no_rest_fit.then(|| ["--rest-fit".to_owned(), "off".to_owned()]);
        let words: Vec<String> = words.chain(retarget.into_iter().chain(rests).flatten()).collect();
        ImportOptions::of_words(&words)
    }
}
