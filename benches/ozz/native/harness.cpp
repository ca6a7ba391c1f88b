// Times ozz-animation on the clips of a file that benches/ozz writes, and prints a line for each result:
// the number of the clip, the work, nanoseconds (or bytes). Needs ozz-animation 0.15 or later.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

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
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/soa_transform.h"
#include "ozz/base/memory/unique_ptr.h"
#include "ozz/base/span.h"

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

void check(bool is_right, const char* what) {
  if (!is_right) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }
}

template <typename T>
T read(std::istream& in) {
  T value{};
  check(static_cast<bool>(in >> value), "the file of clips ends early");
  return value;
}

ozz::math::Float3 read_float3(std::istream& in) {
  const float x = read<float>(in), y = read<float>(in), z = read<float>(in);
  return ozz::math::Float3(x, y, z);
}

ozz::math::Quaternion read_quaternion(std::istream& in) {
  const float x = read<float>(in), y = read<float>(in), z = read<float>(in), w = read<float>(in);
  return ozz::math::Quaternion(x, y, z, w);
}

struct Bone {
  int parent;
  ozz::math::Transform rest;
};

// The children of a bone, named by their numbers: ozz stores joints depth first.
RawSkeleton::Joint::Children children(const std::vector<Bone>& bones, int parent) {
  RawSkeleton::Joint::Children found;
  for (int at = 0; at < static_cast<int>(bones.size()); ++at) {
    if (bones[at].parent == parent) {
      RawSkeleton::Joint joint;
      joint.name = std::to_string(at).c_str();
      joint.transform = bones[at].rest;
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
      track.translations.push_back({time, read_float3(in)});
    }
    for (int left = read<int>(in); left > 0; --left) {
      const float time = read<float>(in);
      track.rotations.push_back({time, read_quaternion(in)});
    }
    for (int left = read<int>(in); left > 0; --left) {
      const float time = read<float>(in);
      track.scales.push_back({time, read_float3(in)});
    }
  }
  return tracks;
}

std::vector<float> read_ratios(std::istream& in, float duration) {
  std::vector<float> ratios(static_cast<size_t>(read<int>(in)));
  for (auto& ratio : ratios) ratio = read<float>(in) / duration;
  return ratios;
}

// Nanoseconds of one of `count` steps, the minimum of many runs; takes about a fifth of a second.
template <typename Work>
double least_ns(size_t count, Work work) {
  using Clock = std::chrono::steady_clock;
  const auto started = Clock::now();
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 5 || Clock::now() - started < std::chrono::milliseconds(200); ++run) {
    const auto start = Clock::now();
    work();
    const std::chrono::duration<double, std::nano> gone = Clock::now() - start;
    least = std::min(least, gone.count() / static_cast<double>(count));
  }
  return least;
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

void measure(int number, const Skeleton& skeleton, const RawAnimation& raw, const std::vector<float>& even,
             const std::vector<float>& random) {
  const auto print = [&](const char* work, double figure) { std::printf("%d\t%s\t%.1f\n", number, work, figure); };
  AnimationBuilder builder;
  const ozz::unique_ptr<Animation> plain = builder(raw);
  builder.iframe_interval = 0.2f;
  const ozz::unique_ptr<Animation> seekable = builder(raw);
  check(plain && seekable, "ozz refuses the clip");
  Runtime runtime(skeleton);
  const auto samples = [&](const Animation& animation, const std::vector<float>& ratios) {
    runtime.context.Invalidate();
    return least_ns(ratios.size(), [&] {
      for (const float ratio : ratios) runtime.sample(animation, ratio);
    });
  };
  print("playing", samples(*plain, even));
  print("seeking", std::min(samples(*plain, random), samples(*seekable, random)));
  print("playing with local to model", least_ns(even.size(), [&] {
          for (const float ratio : even) {
            runtime.sample(*plain, ratio);
            runtime.to_model();
          }
        }));
  print("local to model", least_ns(even.size(), [&] {
          for (size_t step = 0; step < even.size(); ++step) runtime.to_model();
        }));
  runtime.sample(*plain, 0.7f);
  runtime.other = runtime.local;
  runtime.sample(*plain, 0.3f);
  print("blending 2 layers", least_ns(even.size(), [&] {
          for (size_t step = 0; step < even.size(); ++step) runtime.blend();
        }));
  print("bytes", static_cast<double>(plain->size()));
}

}  // namespace

int main(int count, char** arguments) {
  check(count == 2, "usage: harness FILE");
  std::ifstream in(arguments[1]);
  const int clips = read<int>(in);
  for (int number = 0; number < clips; ++number) {
    std::vector<Bone> bones(static_cast<size_t>(read<int>(in)));
    for (auto& bone : bones) {
      bone.parent = read<int>(in);
      bone.rest.translation = read_float3(in);
      bone.rest.rotation = read_quaternion(in);
      bone.rest.scale = read_float3(in);
    }
    RawSkeleton raw_skeleton;
    raw_skeleton.roots = children(bones, -1);
    const ozz::unique_ptr<Skeleton> skeleton = SkeletonBuilder()(raw_skeleton);
    check(static_cast<bool>(skeleton), "ozz refuses the skeleton");
    RawAnimation raw;
    raw.duration = read<float>(in);
    const auto tracks = read_tracks(in, bones.size());
    for (const char* name : skeleton->joint_names()) raw.tracks.push_back(tracks[static_cast<size_t>(std::atoi(name))]);
    const auto even = read_ratios(in, raw.duration);
    const auto random = read_ratios(in, raw.duration);
    measure(number, *skeleton, raw, even, random);
  }
  return 0;
}
