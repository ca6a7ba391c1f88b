// Reads the JSON of `keypose export`: the poses, events, loop modes and hit and hurt volumes of clips.
// The JSON is not parsed into a tree: a cursor is a pointer to the first character of a value, or NULL.

#ifndef KEYPOSE_H
#define KEYPOSE_H

#include "raylib.h"
#include "raymath.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const char *Json;

static inline Json json_space(Json at) {
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') at++;
    return at;
}

// The end of a value. The text is valid JSON and ends with a zero.
static inline Json json_end(Json at) {
    int depth = 0;
    do {
        at = json_space(at);
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++) at += (*at == '\\' && at[1]);
            at += *at != 0;
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else if (depth > 0 && (*at == ',' || *at == ':')) {
            at++;
        } else {
            size_t count = strcspn(at, ",:{}[] \n\r\t\"");
            if (count == 0) return at;
            at += count;
        }
    } while (depth > 0 && *at);
    return at;
}

// The first element of an array, or the one after an element. NULL at the end.
static inline Json json_first(Json array) {
    if (!array || *array != '[') return NULL;
    array = json_space(array + 1);
    return *array == ']' ? NULL : array;
}

static inline Json json_next(Json element) {
    element = json_space(json_end(element));
    return *element == ',' ? json_space(element + 1) : NULL;
}

static inline Json json_member(Json object, const char *name) {
    if (!object || *object != '{') return NULL;
    size_t length = strlen(name);
    for (Json at = json_space(object + 1); at && *at == '"';) {
        bool is_it = strncmp(at + 1, name, length) == 0 && at[length + 1] == '"';
        Json value = json_space(json_space(json_end(at)) + 1);
        if (is_it) return value;
        at = json_next(value);
    }
    return NULL;
}

static inline double json_number(Json value) { return value ? strtod(value, NULL) : 0; }

// Copies a string without its quotes. Escapes are copied as they are.
static inline const char *json_text(Json value, char *into, size_t size) {
    size_t length = value && *value == '"' ? (size_t)(json_end(value) - value) - 2 : 0;
    if (length >= size) length = size - 1;
    memcpy(into, value ? value + 1 : "", length);
    into[length] = 0;
    return into;
}

static inline bool json_is(Json value, const char *text) {
    char own[64];
    return strcmp(json_text(value, own, sizeof own), text) == 0;
}

// A file with a zero at its end, to be freed, or NULL.
static inline char *keypose_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = size < 0 ? NULL : calloc((size_t)size + 1, 1);
        if (text && fread(text, 1, (size_t)size, file) != (size_t)size) free(text), text = NULL;
    }
    if (file) fclose(file);
    return text;
}

// Numbers of an array; missing ones are 0.
static inline void json_numbers(Json array, float *into, int count) {
    Json number = json_first(array);
    for (int at = 0; at < count; at++, number = number ? json_next(number) : NULL) into[at] = (float)json_number(number);
}

static inline int json_count(Json array) {
    int count = 0;
    for (Json element = json_first(array); element; element = json_next(element)) count++;
    return count;
}

// The time of a clip after playing for some seconds.
static inline double keypose_clip_time(Json clip, double elapsed) {
    double length = json_number(json_member(clip, "length"));
    Json loop = json_member(clip, "loop");
    if (length <= 0) return 0;
    if (json_is(loop, "once")) return fmin(fmax(elapsed, 0), length);
    double period = json_is(loop, "ping-pong") ? 2 * length : length;
    double time = fmod(fmod(elapsed, period) + period, period);
    return fmin(time, 2 * length - time);
}

// Calls `fire` for each event of a clip that plays or loops forwards from one elapsed time to a later one, each exactly once.
static inline void keypose_events(Json clip, double from, double to, void (*fire)(const char *name)) {
    double length = json_number(json_member(clip, "length"));
    bool loops = length > 0 && json_is(json_member(clip, "loop"), "loop");
    for (int loop = loops ? (int)(from / length) : 0; loop <= (loops ? (int)(to / length) : 0); loop++) {
        for (Json event = json_first(json_member(clip, "events")); event; event = json_next(event)) {
            double time = json_number(json_member(event, "time"));
            // The end of a loop is the start of the next one.
            time = loops ? fmod(time, length) + loop * length : time;
            char name[64];
            if (from <= time && time < to) fire(json_text(json_member(event, "name"), name, sizeof name));
        }
    }
}

static inline bool keypose_is_now(Json range, double time) {
    return json_number(json_member(range, "start")) <= time && time < json_number(json_member(range, "end"));
}

// Calls `meet` for each volume that is active at a time of a clip. `hit` is NULL for hurt volumes.
static inline void keypose_volumes(Json notes, Json clip, double time, void (*meet)(Json volume, Json hit)) {
    Json lanes = json_member(clip, "lanes");
    for (Json hit = json_first(json_member(lanes, "hits")); hit; hit = json_next(hit)) {
        Json volume = keypose_is_now(hit, time) ? json_first(json_member(hit, "volumes")) : NULL;
        for (; volume; volume = json_next(volume)) meet(volume, hit);
    }
    for (Json range = json_first(json_member(lanes, "invulnerable")); range; range = json_next(range))
        if (keypose_is_now(range, time)) return;
    for (Json volume = json_first(json_member(notes, "hurt")); volume; volume = json_next(volume)) {
        Json shown = volume;
        char name[64];
        json_text(json_member(volume, "name"), name, sizeof name);
        for (Json lane = json_first(json_member(lanes, "hurts")); lane; lane = json_next(lane))
            if (keypose_is_now(lane, time) && json_is(json_member(lane, "volume"), name)) shown = json_member(lane, "replaced");
        if (shown && *shown == '{') meet(shown, NULL);
    }
}

// The pose of a bone at rest.
static inline Transform keypose_rest(Json bone) {
    float t[3], r[4], s[3];
    json_numbers(json_member(bone, "translation"), t, 3);
    json_numbers(json_member(bone, "rotation"), r, 4);
    json_numbers(json_member(bone, "scale"), s, 3);
    return (Transform){{t[0], t[1], t[2]}, {r[0], r[1], r[2], r[3]}, {s[0], s[1], s[2]}};
}

// Sets a channel of one bone in all frames: `poses` has `bones` transforms for each frame.
static inline void keypose_track(Json track, Transform *poses, int bones, int frames) {
    int bone = (int)json_number(json_member(track, "bone"));
    Json channel = json_member(track, "channel"), row = json_first(json_member(track, "values"));
    float values[4];
    for (int frame = 0; frame < frames && bone < bones; frame++) {
        // One row is for all frames.
        if (row) json_numbers(row, values, 4), row = json_next(row);
        Transform *pose = &poses[frame * bones + bone];
        if (json_is(channel, "translation")) pose->translation = (Vector3){values[0], values[1], values[2]};
        if (json_is(channel, "rotation")) pose->rotation = (Quaternion){values[0], values[1], values[2], values[3]};
        if (json_is(channel, "scale")) pose->scale = (Vector3){values[0], values[1], values[2]};
    }
}

static inline Transform keypose_below(Transform parent, Transform own) {
    Vector3 place = Vector3RotateByQuaternion(Vector3Multiply(parent.scale, own.translation), parent.rotation);
    own.translation = Vector3Add(parent.translation, place);
    own.rotation = QuaternionMultiply(parent.rotation, own.rotation);
    own.scale = Vector3Multiply(parent.scale, own.scale);
    return own;
}

// A clip as an animation of raylib, with its frames. The bones of the model are found by name.
static inline ModelAnimation keypose_animation(Model model, Json bones, Json clip) {
    int count = json_count(bones), frames = (int)json_number(json_member(clip, "frames"));
    Transform *poses = calloc((size_t)frames * count, sizeof *poses);
    ModelAnimation animation = {.boneCount = model.skeleton.boneCount, .keyframeCount = frames};
    animation.keyframePoses = MemAlloc(frames * sizeof(ModelAnimPose));
    for (int frame = 0; frame < frames; frame++)
        animation.keyframePoses[frame] = MemAlloc(model.skeleton.boneCount * sizeof(Transform));
    Json bone = json_first(bones);
    for (int at = 0; at < count; at++, bone = json_next(bone))
        for (int frame = 0; frame < frames; frame++) poses[frame * count + at] = keypose_rest(bone);
    for (Json track = json_first(json_member(clip, "tracks")); track; track = json_next(track))
        keypose_track(track, poses, count, frames);
    bone = json_first(bones);
    for (int at = 0; at < count; at++, bone = json_next(bone)) {
        int parent = (int)json_number(json_member(bone, "parent")), joint = model.skeleton.boneCount - 1;
        // raylib cuts long names.
        char name[sizeof model.skeleton.bones->name];
        json_text(json_member(bone, "name"), name, sizeof name);
        while (joint >= 0 && strcmp(name, model.skeleton.bones[joint].name) != 0) joint--;
        for (int frame = 0; frame < frames; frame++) {
            Transform *pose = &poses[frame * count + at];
            if (parent >= 0) *pose = keypose_below(poses[frame * count + parent], *pose);
            if (joint >= 0) animation.keyframePoses[frame][joint] = *pose;
        }
    }
    free(poses);
    return animation;
}

#endif
