#version 330 core
// For programs whose vertex stage is all that counts: transform feedback.

void main() {
}
