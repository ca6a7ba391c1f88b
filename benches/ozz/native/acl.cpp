// Times ACL, the Animation Compression Library, on a clip. Its bound is that of Keypose: 1e-4 of the model's size.

#include <acl/compression/compress.h>
#include <acl/compression/track_array.h>
#include <acl/core/ansi_allocator.h>
#include <acl/decompression/decompress.h>
#include <rtm/matrix3x4f.h>
#include <rtm/qvvf.h>

#include "case.h"

namespace {

struct Settings : acl::default_transform_decompression_settings {
  static constexpr bool skip_initialize_safety_checks() { return true; }
};

// Writes a local pose.
struct Pose : acl::track_writer {
  std::vector<rtm::qvvf> bones;
  explicit Pose(size_t count) : bones(count) {}
  void RTM_SIMD_CALL write_rotation(uint32_t at, rtm::quatf_arg0 value) { bones[at].rotation = value; }
  void RTM_SIMD_CALL write_translation(uint32_t at, rtm::vector4f_arg0 value) { bones[at].translation = value; }
  void RTM_SIMD_CALL write_scale(uint32_t at, rtm::vector4f_arg0 value) { bones[at].scale = value; }
};

rtm::qvvf load(const Transform& from) {
  const auto& [t, r, s] = from;
  return rtm::qvv_set(rtm::quat_normalize(rtm::quat_set(r[0], r[1], r[2], r[3])), rtm::vector_set(t[0], t[1], t[2]),
                      rtm::vector_set(s[0], s[1], s[2]));
}

std::vector<rtm::matrix3x4f> models(const Case& of, const std::vector<rtm::qvvf>& local) {
  std::vector<rtm::matrix3x4f> all;
  for (size_t bone = 0; bone < local.size(); ++bone) {
    const auto matrix = rtm::matrix_from_qvv(local[bone]);
    const int parent = of.bones[bone].parent;
    all.push_back(parent < 0 ? matrix : rtm::matrix_mul(matrix, all[static_cast<size_t>(parent)]));
  }
  return all;
}

void print_pose(const Case& of, const Pose& pose) {
  for (const auto& matrix : models(of, pose.bones)) {
    for (const auto column : {matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis}) {
      std::printf("%.9g %.9g %.9g ", float(rtm::vector_get_x(column)), float(rtm::vector_get_y(column)),
                  float(rtm::vector_get_z(column)));
    }
  }
}

}  // namespace

void measure_acl(const Case& of) {
  acl::ansi_allocator allocator;
  const size_t bones = of.bones.size(), count = of.samples.size() / bones;
  acl::track_array_qvvf tracks(allocator, static_cast<uint32_t>(bones));
  for (size_t bone = 0; bone < bones; ++bone) {
    acl::track_desc_transformf desc;
    desc.output_index = static_cast<uint32_t>(bone);
    if (of.bones[bone].parent >= 0) desc.parent_index = static_cast<uint32_t>(of.bones[bone].parent);
    desc.precision = 1e-4f * of.size;
    desc.shell_distance = of.reaches[bone];
    auto track = acl::track_qvvf::make_reserve(desc, allocator, static_cast<uint32_t>(count), of.rate);
    for (size_t at = 0; at < count; ++at) track[static_cast<uint32_t>(at)] = load(of.samples[at * bones + bone]);
    tracks[static_cast<uint32_t>(bone)] = std::move(track);
  }
  auto settings = acl::get_default_compression_settings();
  acl::qvvf_transform_error_metric metric;
  settings.error_metric = &metric;
  acl::output_stats stats;
  acl::compressed_tracks* packed = nullptr;
  check(!acl::compress_track_list(allocator, tracks, settings, packed, stats).any(), "ACL refuses the clip");
  acl::decompression_context<Settings> context;
  check(context.initialize(*packed), "ACL refuses what it packed");
  Pose pose(bones);
  const auto sample = [&](float secs) {
    context.seek(secs, acl::sample_rounding_policy::none);
    context.decompress_tracks(pose);
  };
  const auto samples = [&](const std::vector<float>& times) {
    return least_ns(times.size(), [&] {
      for (const float secs : times) sample(secs);
    });
  };
  print(of.number, "acl playing", samples(of.even));
  print(of.number, "acl seeking", samples(of.random));
  print(of.number, "acl bytes", packed->get_size());
  std::printf("%d\tacl poses\t", of.number);
  for (const float secs : compared(of)) {
    sample(secs);
    print_pose(of, pose);
  }
  std::printf("\n");
  allocator.deallocate(packed, packed->get_size());
}
