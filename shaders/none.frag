#version 330 core
// For transform feedback, which uses only the vertex stage.

void main() {
}
