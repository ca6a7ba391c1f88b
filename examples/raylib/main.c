// Plays a model of `keypose export` in raylib 6: ./play hero.glb hero.json [CLIP]. Prints events, draws hit and hurt volumes.
// Left and right choose the clip.

#include "keypose.h"

static Model model;

// The matrix of a bone in the space of the model: raylib keeps the pose of each bone there.
static bool bone_matrix(Json name, Matrix *matrix) {
    for (int bone = 0; bone < model.skeleton.boneCount; bone++) {
        if (!json_is(name, model.skeleton.bones[bone].name)) continue;
        Transform pose = model.currentPose[bone];
        Matrix scale = MatrixScale(pose.scale.x, pose.scale.y, pose.scale.z);
        Matrix rotation = QuaternionToMatrix(pose.rotation);
        Matrix translation = MatrixTranslate(pose.translation.x, pose.translation.y, pose.translation.z);
        *matrix = MatrixMultiply(MatrixMultiply(scale, rotation), translation);
        return true;
    }
    return false;
}

static Vector3 point(Json array, Matrix matrix) {
    float place[3];
    json_numbers(array, place, 3);
    return Vector3Transform((Vector3){place[0], place[1], place[2]}, matrix);
}

static void draw_volume(Json volume, Json hit) {
    Matrix matrix;
    if (!bone_matrix(json_member(volume, "bone"), &matrix)) return;
    Vector3 from = point(json_member(volume, "from"), matrix), to = point(json_member(volume, "to"), matrix);
    float radius = (float)json_number(json_member(volume, "radius"));
    // A capsule without length has no axis to draw it around.
    if (Vector3Distance(from, to) < 1e-4f) DrawSphereWires(from, radius, 6, 10, hit ? RED : SKYBLUE);
    else DrawCapsuleWires(from, to, radius, 8, 3, hit ? RED : SKYBLUE);
}

static void print_event(const char *name) { printf("event: %s\n", name), fflush(stdout); }

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: %s FILE.glb FILE.json [CLIP]\n", arguments[0]), 2;
    char *json = keypose_file(arguments[2]);
    Json bones = json_member(json, "bones"), clips = json_member(json, "clips"), clip = json_first(clips);
    if (!bones || !clip) return fprintf(stderr, "%s: no clips of Keypose\n", arguments[2]), 1;
    SetTraceLogLevel(LOG_WARNING);
    SetConfigFlags(FLAG_MSAA_4X_HINT | FLAG_VSYNC_HINT);
    InitWindow(900, 640, "Keypose in raylib");
    SetTargetFPS(60);
    model = LoadModel(arguments[1]);
    int total = json_count(clips), playing = 0;
    ModelAnimation *animations = MemAlloc(total * sizeof *animations);
    Json *notes = calloc(total, sizeof *notes);
    for (int at = 0; clip; at++, clip = json_next(clip)) {
        notes[at] = clip, animations[at] = keypose_animation(model, bones, clip);
        if (count > 3 && json_is(json_member(clip, "name"), arguments[3])) playing = at;
    }
    Camera camera = {{1.8f, 1.5f, 3.2f}, {0, 0.9f, 0}, {0, 1, 0}, 40, CAMERA_PERSPECTIVE};
    double elapsed = 0;
    while (!WindowShouldClose()) {
        int step = IsKeyPressed(KEY_RIGHT) - IsKeyPressed(KEY_LEFT);
        if (step) playing = (playing + step + total) % total, elapsed = 0;
        clip = notes[playing];
        double now = elapsed + GetFrameTime();
        keypose_events(clip, elapsed, now, print_event);
        elapsed = now;
        double time = keypose_clip_time(clip, elapsed), length = json_number(json_member(clip, "length"));
        double frame = length > 0 ? time / length * (animations[playing].keyframeCount - 1) : 0;
        UpdateModelAnimation(model, animations[playing], (float)frame);
        char title[64];
        BeginDrawing();
        ClearBackground((Color){32, 36, 44, 255});
        BeginMode3D(camera);
        DrawModel(model, (Vector3){0}, 1, WHITE);
        DrawGrid(12, 0.5f);
        keypose_volumes(json, clip, time, draw_volume);
        EndMode3D();
        DrawText(json_text(json_member(clip, "name"), title, sizeof title), 16, 16, 20, RAYWHITE);
        EndDrawing();
    }
    UnloadModelAnimations(animations, total);
    UnloadModel(model);
    CloseWindow();
    free(notes);
    free(json);
    return 0;
}
