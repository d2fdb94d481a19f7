#include "codecs/window.hpp"

namespace codecs {

// While more than this is still to be sent, no op is added: for a slow reader the buffer need not hold the whole window. With
// nothing in flight it is empty.
constexpr std::size_t enough_unsent = 256 * 1024;

progress window::start(send_buffer& out) {
  first_ = count_ = 0;
  return refill(out);
}

progress window::refill(send_buffer& out) {
  while (count_ < ops_.size() && out.size() < enough_unsent) {
    auto* const op = source_.next();
    if (op == nullptr) break;
    const auto begun = op->start(out);
    sent_frames(op->take_frames_sent());
    if (begun == progress::more) {
      push(*op);
      continue;
    }
    source_.completed(*op, begun);
    if (begun == progress::failed) return give_up(*op);
  }
  return count_ == 0 ? progress::done : progress::more;
}

progress window::on_frame(bytes_view frame, send_buffer& out) {
  auto& op = *ops_[first_];
  const auto how = op.on_frame(frame, out);
  sent_frames(op.take_frames_sent());
  if (how == progress::more) return how;
  pop();
  source_.completed(op, how);
  const bool broken = how == progress::failed && breaks_stream(op.why().cause.code);
  return broken ? give_up(op) : refill(out);
}

/// Ops in flight will still be answered, and nobody is left to take the answers.
progress window::give_up(const exchange& op) {
  auto why = op.why();
  why.out_of_step = count_ != 0;
  return fail(std::move(why));
}

void window::push(exchange& op) {
  ops_[(first_ + count_++) % ops_.size()] = &op;
}

void window::pop() {
  first_ = (first_ + 1) % ops_.size();
  --count_;
}

}  // namespace codecs
