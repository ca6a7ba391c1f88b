/* Opens an archive, lists the clips of its first model, and prints where the last bone is during one of them:
   example data/demo.wad [CLIP]. docs/c.md says how to build it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "keypose.h"

static uint8_t *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long end = ftell(file);
    rewind(file);
    uint8_t *bytes = end > 0 ? malloc((size_t)end) : NULL;
    *length = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
    fclose(file);
    return bytes;
}

int main(int count, char **arguments) {
    const char *path = count > 1 ? arguments[1] : "data/demo.wad";
    size_t length = 0;
    uint8_t *bytes = read_file(path, &length);
    char text[256] = "";
    KeyposeArchive *archive = keypose_open(bytes, length, text, sizeof text);
    free(bytes);
    if (!archive) {
        fprintf(stderr, "%s: %s\n", path, text);
        return 1;
    }
    for (size_t clip = 0; clip < keypose_clip_count(archive, 0); clip++) {
        keypose_clip_name(archive, 0, clip, text, sizeof text);
        printf("%s: %.2f s%s\n", text, keypose_clip_length(archive, 0, clip),
               keypose_clip_loops(archive, 0, clip) ? ", loops" : "");
    }
    size_t clip = keypose_find_clip(archive, 0, count > 2 ? arguments[2] : "walk");
    size_t bones = keypose_bone_count(archive, 0);
    float *matrices = malloc(bones * KEYPOSE_MATRIX * sizeof *matrices);
    if (clip == KEYPOSE_NONE || !matrices) {
        fprintf(stderr, "no such clip\n");
        return 1;
    }
    keypose_bone_name(archive, 0, bones - 1, text, sizeof text);
    for (int tick = 0; tick <= 60; tick += 15) {
        if (!keypose_sample(archive, 0, clip, tick / 60.0, matrices, bones)) return 1;
        const float *bone = matrices + (bones - 1) * KEYPOSE_MATRIX;
        printf("%s at %.2f s: %.3f %.3f %.3f\n", text, tick / 60.0, bone[12], bone[13], bone[14]);
    }
    free(matrices);
    keypose_close(archive);
    return 0;
}
