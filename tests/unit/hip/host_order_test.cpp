#include "hip/runtime/checked/host_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace wavetank::hip {
namespace {

/// Submits an operation and runs it.
OrderedPtr run(HostOrder& order, std::uint64_t line, std::uint64_t number,
               OrderedList behind = {}) {
  OrderedPtr operation = order.enter(line, number, std::move(behind));
  const OrderScope scope(operation);
  return operation;
}

TEST(HostOrder, AnOperationIsBehindWhatItWaitsForAndWhatThatWasBehind) {
  HostOrder order;
  const OrderedPtr first = run(order, 1, 1);
  const OrderedPtr second = run(order, 2, 1, {first});
  const OrderedPtr third = run(order, 3, 1, {second});
  EXPECT_TRUE(third->is_behind(*first));
  EXPECT_FALSE(run(order, 4, 1)->is_behind(*first)) << "that it has ended orders nothing";
}

TEST(HostOrder, WhatTheHostHasWaitedForIsBeforeAllThatItSubmits) {
  HostOrder order;
  const OrderedPtr first = run(order, 1, 1);
  const OrderedPtr before = run(order, 2, 1);
  order.learn(*first);
  EXPECT_FALSE(before->is_behind(*first));
  EXPECT_TRUE(run(order, 2, 2)->is_behind(*first));
}

TEST(HostOrder, AFunctionOfTheProgramIsBehindItsStreamAndNotBehindWhatTheHostWaitsForMeanwhile) {
  HostOrder order;
  const OrderedPtr own = run(order, 1, 1);
  const OrderedPtr other = run(order, 2, 1);
  const OrderedPtr function = order.enter(1, 2, {own});
  order.learn(*other);
  const OrderScope scope(function);
  const OrderedPtr access = order.enter_function_access(*function, {});
  EXPECT_TRUE(access->is_behind(*own));
  EXPECT_FALSE(access->is_behind(*other));
  EXPECT_TRUE(order.enter_host_access({})->is_behind(*other));
}

TEST(HostOrder, WhoWaitsForAWordIsBehindTheStreamThatWroteIt) {
  HostOrder order;
  const int word = 0;
  const OrderedPtr earlier = run(order, 1, 1);
  const OrderedPtr writer = run(order, 2, 1, {earlier});
  order.publish(*writer, &word);
  const OrderedPtr other = run(order, 3, 1);
  const OrderedPtr reader = run(order, 4, 1);
  order.learn_from(*reader, &word);
  EXPECT_TRUE(reader->is_behind(*earlier));
  EXPECT_FALSE(reader->is_behind(*other));
}

TEST(HostOrder, TheNodesOfAGraphAreOrderedByItsEdges) {
  HostOrder order;
  std::uint64_t left = 0, right = 0;
  const OrderedPtr begin = run(order, 1, 1);
  const auto run_node = [&](std::uint64_t line, std::uint64_t& number) {
    const GraphBranch branch(line, number, {begin});
    GraphBranch* const current = GraphBranch::current();
    return run(order, current->line(), current->next_number(), current->behind());
  };
  const OrderedPtr a = run_node(order.new_line(), left);
  const OrderedPtr b = run_node(order.new_line(), right);
  EXPECT_TRUE(a->is_behind(*begin));
  EXPECT_FALSE(b->is_behind(*a));
  EXPECT_EQ(GraphBranch::current(), nullptr);
}

TEST(HostOrder, AnAccessOfTheHostIsBeforeWhatItSubmitsLater) {
  HostOrder order;
  const OrderedPtr earlier = run(order, 1, 1);
  const OrderedPtr access = order.enter_host_access({});
  EXPECT_FALSE(access->is_behind(*earlier));
  EXPECT_FALSE(earlier->is_behind(*access));
  EXPECT_TRUE(run(order, 1, 2)->is_behind(*access));
}

}  // namespace
}  // namespace wavetank::hip
