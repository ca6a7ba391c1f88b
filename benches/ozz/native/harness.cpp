// Times ozz-animation on the clips of a file that benches/ozz writes, and ACL and cgltf if they are given. Prints a line for each
// result: the number of the clip, the work, nanoseconds, bytes or model matrices. Needs ozz-animation 0.15 or later.

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "case.h"
#include "ozz/animation/offline/animation_builder.h"
#include "ozz/animation/offline/raw_animation.h"
#include "ozz/animation/offline/raw_skeleton.h"
#include "ozz/animation/offline/skeleton_builder.h"
#include "ozz/animation/runtime/animation.h"
#include "ozz/animation/runtime/blending_job.h"
#include "ozz/animation/runtime/local_to_model_job.h"
#include "ozz/animation/runtime/sampling_job.h"
#include "ozz/animation/runtime/skeleton.h"
#include "ozz/base/containers/vector.h"
#include "ozz/base/io/archive.h"
#include "ozz/base/io/stream.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/soa_transform.h"
#include "ozz/base/memory/unique_ptr.h"
#include "ozz/base/span.h"

#if defined(WITH_CGLTF)
#define CGLTF_IMPLEMENTATION
#include <cgltf.h>
#endif

namespace {

using ozz::animation::Animation;
using ozz::animation::BlendingJob;
using ozz::animation::LocalToModelJob;
using ozz::animation::SamplingJob;
using ozz::animation::Skeleton;
using ozz::animation::offline::AnimationBuilder;
using ozz::animation::offline::RawAnimation;
using ozz::animation::offline::RawSkeleton;
using ozz::animation::offline::SkeletonBuilder;

template <typename T>
T read(std::istream& in) {
  T value{};
  check(static_cast<bool>(in >> value), "the file of clips ends early");
  return value;
}

template <size_t count>
std::array<float, count> read_floats(std::istream& in) {
  std::array<float, count> values;
  for (auto& value : values) value = read<float>(in);
  return values;
}

Transform read_transform(std::istream& in) {
  const auto translation = read_floats<3>(in);
  const auto rotation = read_floats<4>(in);
  return {translation, rotation, read_floats<3>(in)};
}

ozz::math::Float3 float3(const std::array<float, 3>& from) { return {from[0], from[1], from[2]}; }

ozz::math::Quaternion quaternion(const std::array<float, 4>& from) { return {from[0], from[1], from[2], from[3]}; }

// The children of a bone, named by their numbers: ozz stores joints depth first.
RawSkeleton::Joint::Children children(const std::vector<Bone>& bones, int parent) {
  RawSkeleton::Joint::Children found;
  for (int at = 0; at < static_cast<int>(bones.size()); ++at) {
    if (bones[at].parent == parent) {
      RawSkeleton::Joint joint;
      joint.name = std::to_string(at).c_str();
      const auto& rest = bones[at].rest;
      joint.transform = {float3(rest.translation), quaternion(rest.rotation), float3(rest.scale)};
      joint.children = children(bones, at);
      found.push_back(joint);
    }
  }
  return found;
}

std::vector<RawAnimation::JointTrack> read_tracks(std::istream& in, size_t bones) {
  std::vector<RawAnimation::JointTrack> tracks(bones);
  for (auto& track : tracks) {
    for (int left = read<int>(in); left > 0; --left) {
      const float time = read<float>(in);
      track.translations.push_back({time, float3(read_floats<3>(in))});
    }
    for (int left = read<int>(in); left > 0; --left) {
      const float time = read<float>(in);
      track.rotations.push_back({time, quaternion(read_floats<4>(in))});
    }
    for (int left = read<int>(in); left > 0; --left) {
      const float time = read<float>(in);
      track.scales.push_back({time, float3(read_floats<3>(in))});
    }
  }
  return tracks;
}

std::vector<float> read_list(std::istream& in) {
  std::vector<float> values(static_cast<size_t>(read<int>(in)));
  for (auto& value : values) value = read<float>(in);
  return values;
}

struct Runtime {
  const Skeleton& skeleton;
  SamplingJob::Context context;
  ozz::vector<ozz::math::SoaTransform> local, other, blended;
  ozz::vector<ozz::math::Float4x4> models;

  explicit Runtime(const Skeleton& of)
      : skeleton(of),
        context(of.num_joints()),
        local(static_cast<size_t>(of.num_soa_joints())),
        other(local.size()),
        blended(local.size()),
        models(static_cast<size_t>(of.num_joints())) {}

  void sample(const Animation& animation, float ratio) {
    SamplingJob job;
    job.animation = &animation;
    job.context = &context;
    job.ratio = ratio;
    job.output = ozz::make_span(local);
    check(job.Run(), "sampling failed");
  }

  void to_model() {
    LocalToModelJob job;
    job.skeleton = &skeleton;
    job.input = ozz::make_span(local);
    job.output = ozz::make_span(models);
    check(job.Run(), "local to model failed");
  }

  void blend() {
    BlendingJob::Layer layers[2];
    layers[0].transform = ozz::make_span(local);
    layers[0].weight = 0.4f;
    layers[1].transform = ozz::make_span(other);
    layers[1].weight = 0.6f;
    BlendingJob job;
    job.layers = layers;
    job.rest_pose = skeleton.joint_rest_poses();
    job.output = ozz::make_span(blended);
    check(job.Run(), "blending failed");
  }
};

void print_pose(const Runtime& runtime) {
  std::vector<size_t> places(runtime.models.size());
  for (size_t joint = 0; joint < places.size(); ++joint) {
    places[static_cast<size_t>(std::atoi(runtime.skeleton.joint_names()[joint]))] = joint;
  }
  for (const size_t place : places) {
    for (const auto& column : runtime.models[place].cols) {
      float values[4];
      ozz::math::StorePtrU(column, values);
      std::printf("%.9g %.9g %.9g ", values[0], values[1], values[2]);
    }
  }
}

// Nanoseconds to open a clip that is in memory.
double opening(const Animation& animation) {
  ozz::io::MemoryStream stream;
  ozz::io::OArchive out(&stream);
  out << animation;
  return least_ns(1, [&] {
    stream.Seek(0, ozz::io::Stream::kSet);
    ozz::io::IArchive in(&stream);
    Animation opened;
    in >> opened;
    check(opened.num_tracks() == animation.num_tracks(), "ozz refuses its archive");
  });
}

void measure(const Case& of, const Skeleton& skeleton, const RawAnimation& raw, bool is_brief) {
  const auto put = [&](const char* work, double figure) { print(of.number, work, figure); };
  AnimationBuilder builder;
  const ozz::unique_ptr<Animation> plain = builder(raw);
  builder.iframe_interval = 0.2f;
  const ozz::unique_ptr<Animation> seekable = builder(raw);
  check(plain && seekable, "ozz refuses the clip");
  Runtime runtime(skeleton);
  const auto ratio = [&](float secs) { return secs / of.duration; };
  const auto samples = [&](const Animation& animation, const std::vector<float>& times) {
    runtime.context.Invalidate();
    return least_ns(times.size(), [&] {
      for (const float secs : times) runtime.sample(animation, ratio(secs));
    });
  };
  put("playing", samples(*plain, of.even));
  put("seeking", std::min(samples(*plain, of.random), samples(*seekable, of.random)));
  put("bytes", static_cast<double>(plain->size()));
  std::printf("%d\tposes\t", of.number);
  for (const float secs : compared(of)) {
    runtime.sample(*plain, ratio(secs));
    runtime.to_model();
    print_pose(runtime);
  }
  std::printf("\n");
  if (is_brief) return put("opening", opening(*plain));
  put("playing with local to model", least_ns(of.even.size(), [&] {
        for (const float secs : of.even) {
          runtime.sample(*plain, ratio(secs));
          runtime.to_model();
        }
      }));
  put("local to model", least_ns(of.even.size(), [&] {
        for (size_t step = 0; step < of.even.size(); ++step) runtime.to_model();
      }));
  runtime.sample(*plain, 0.7f);
  runtime.other = runtime.local;
  runtime.sample(*plain, 0.3f);
  put("blending 2 layers", least_ns(of.even.size(), [&] {
        for (size_t step = 0; step < of.even.size(); ++step) runtime.blend();
      }));
}

#if defined(WITH_CGLTF)
// Prints the nanoseconds in which cgltf opens a file that is in memory, and the count of its clips.
void open_gltf(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  size_t clips = 1;
  const double time = least_ns(1, [&] {
    const cgltf_options options{};
    cgltf_data* data = nullptr;
    check(cgltf_parse(&options, bytes.data(), bytes.size(), &data) == cgltf_result_success, "cgltf refuses the file");
    check(cgltf_load_buffers(&options, data, path) == cgltf_result_success, "cgltf finds no buffers");
    check(cgltf_validate(data) == cgltf_result_success, "cgltf finds faults");
    clips = data->animations_count;
    cgltf_free(data);
  });
  std::printf("%s: cgltf opens it in %.3f ms, with %zu clips\n", path, time / 1e6, clips);
}
#endif

}  // namespace

int main(int count, char** arguments) {
  check(count >= 2, "usage: harness FILE | --open GLB…");
  if (std::string(arguments[1]) == "--open") {
#if defined(WITH_CGLTF)
    for (int at = 2; at < count; ++at) open_gltf(arguments[at]);
#endif
    return 0;
  }
  std::ifstream in(arguments[1]);
  const int clips = read<int>(in);
  const bool is_brief = read<int>(in) != 0;
  for (int number = 0; number < clips; ++number) {
    Case of;
    of.number = number;
    of.bones.resize(static_cast<size_t>(read<int>(in)));
    for (auto& bone : of.bones) {
      bone.parent = read<int>(in);
      bone.rest = read_transform(in);
    }
    of.size = read<float>(in);
    of.reaches = read_list(in);
    RawSkeleton raw_skeleton;
    raw_skeleton.roots = children(of.bones, -1);
    const ozz::unique_ptr<Skeleton> skeleton = SkeletonBuilder()(raw_skeleton);
    check(static_cast<bool>(skeleton), "ozz refuses the skeleton");
    RawAnimation raw;
    raw.duration = of.duration = read<float>(in);
    const auto tracks = read_tracks(in, of.bones.size());
    for (const char* name : skeleton->joint_names()) raw.tracks.push_back(tracks[static_cast<size_t>(std::atoi(name))]);
    of.even = read_list(in);
    of.random = read_list(in);
    of.rate = read<float>(in);
    of.samples.resize(static_cast<size_t>(read<int>(in)));
    for (auto& sample : of.samples) sample = read_transform(in);
    measure(of, *skeleton, raw, is_brief);
#if defined(WITH_ACL)
    measure_acl(of);
#endif
  }
  return 0;
}
