/* The game runtime of Keypose for C. Made by cbindgen from c/src/lib.rs; docs/c.md describes it. */

#ifndef KEYPOSE_H
#define KEYPOSE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The index that functions return if something doesn't exist.
#define KEYPOSE_NONE SIZE_MAX



// The number of floats of a matrix.
#define KEYPOSE_MATRIX 16

// An open archive.
typedef struct KeyposeArchive KeyposeArchive;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens an archive from its bytes, which may be freed afterwards. Returns null if it is no archive or damaged; the reason is
// written to `error` then, ending with 0, as far as `error_size` bytes hold it.
//
// # Safety
// `bytes` must have `length` bytes. `error` must have `error_size` bytes, or be null.
struct KeyposeArchive *keypose_open(const uint8_t *bytes,
                                    size_t length,
                                    char *error,
                                    size_t error_size);

// Closes an archive. Null is allowed.
//
// # Safety
// `archive` must be from `keypose_open`, and must not be used afterwards.
void keypose_close(struct KeyposeArchive *archive);

// The number of models.
//
// # Safety
// `archive` must be open, or null. So it must be in all functions below.
size_t keypose_model_count(const struct KeyposeArchive *archive);

// The number of bones of a model.
//
// # Safety
// See `keypose_model_count`.
size_t keypose_bone_count(const struct KeyposeArchive *archive, size_t model);

// The number of clips of a model.
//
// # Safety
// See `keypose_model_count`.
size_t keypose_clip_count(const struct KeyposeArchive *archive, size_t model);

// Writes the name of a model, ending with 0, as far as `size` bytes hold it. Returns the bytes that the whole name and its 0 need.
//
// # Safety
// See `keypose_model_count`. `name` must have `size` bytes, or be null.
size_t keypose_model_name(const struct KeyposeArchive *archive,
                          size_t model,
                          char *name,
                          size_t size);

// As `keypose_model_name`, of a bone.
//
// # Safety
// See `keypose_model_name`.
size_t keypose_bone_name(const struct KeyposeArchive *archive,
                         size_t model,
                         size_t bone,
                         char *name,
                         size_t size);

// The parent of a bone: a lower index, or `KEYPOSE_NONE` for a root.
//
// # Safety
// See `keypose_model_count`.
size_t keypose_bone_parent(const struct KeyposeArchive *archive, size_t model, size_t bone);

// As `keypose_model_name`, of a clip.
//
// # Safety
// See `keypose_model_name`.
size_t keypose_clip_name(const struct KeyposeArchive *archive,
                         size_t model,
                         size_t clip,
                         char *name,
                         size_t size);

// The clip of a name, or `KEYPOSE_NONE`.
//
// # Safety
// See `keypose_model_count`. `name` must end with 0, or be null.
size_t keypose_find_clip(const struct KeyposeArchive *archive, size_t model, const char *name);

// The length of a clip in seconds.
//
// # Safety
// See `keypose_model_count`.
double keypose_clip_length(const struct KeyposeArchive *archive, size_t model, size_t clip);

// Whether a clip has no end: it loops, or plays forwards and backwards.
//
// # Safety
// See `keypose_model_count`.
bool keypose_clip_loops(const struct KeyposeArchive *archive, size_t model, size_t clip);

// Samples a clip `seconds` after it started, in its loop mode. Writes a matrix for each bone, model from bone: `KEYPOSE_MATRIX`
// floats, column by column. Returns false if there is no such clip or `count` is less than the number of bones; then nothing is
// written.
//
// # Safety
// See `keypose_model_count`. `matrices` must have `count` × `KEYPOSE_MATRIX` floats, or be null.
bool keypose_sample(const struct KeyposeArchive *archive,
                    size_t model,
                    size_t clip,
                    double seconds,
                    float *matrices,
                    size_t count);

// The number of scalars of a model: weights of morph targets, properties such as `glow`, and visibilities of meshes.
//
// # Safety
// See `keypose_model_count`.
size_t keypose_scalar_count(const struct KeyposeArchive *archive,
                            size_t model);

// As `keypose_model_name`, of a scalar.
//
// # Safety
// See `keypose_model_name`.
size_t keypose_scalar_name(const struct KeyposeArchive *archive,
                           size_t model,
                           size_t scalar,
                           char *name,
                           size_t size);

// Samples the scalars of a clip `seconds` after it started, in its loop mode: one float for each. Returns false if there is no such
// clip or `count` is less than the number of scalars; then nothing is written.
//
// # Safety
// See `keypose_model_count`. `values` must have `count` floats, or be null.
bool keypose_sample_scalars(const struct KeyposeArchive *archive,
                            size_t model,
                            size_t clip,
                            double seconds,
                            float *values,
                            size_t count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KEYPOSE_H */
