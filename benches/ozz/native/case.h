// A clip as benches/ozz writes it, and how results are measured and printed.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

struct Transform {
  std::array<float, 3> translation;
  std::array<float, 4> rotation;
  std::array<float, 3> scale;
};

struct Bone {
  int parent;
  Transform rest;
};

struct Case {
  int number;
  std::vector<Bone> bones;
  // The model's size, and how far from each bone its error is measured.
  float size;
  std::vector<float> reaches;
  float duration;
  // In seconds.
  std::vector<float> even, random;
  // All bones of a sample after those of the one before.
  float rate;
  std::vector<Transform> samples;
};

inline void check(bool is_right, const char* what) {
  if (!is_right) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }
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

inline void print(int number, const char* work, double figure) { std::printf("%d\t%s\t%.1f\n", number, work, figure); }

// Every fifth of the even times: those at which poses are compared.
inline std::vector<float> compared(const Case& of) {
  std::vector<float> times;
  for (size_t at = 0; at < of.even.size(); at += 5) times.push_back(of.even[at]);
  return times;
}

void measure_acl(const Case& of);
