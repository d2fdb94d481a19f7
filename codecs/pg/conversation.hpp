#pragma once
// The duties of a PostgreSQL server that do not depend on what it stores:
//
//   before startup   N to encryption requests, v to newer minor versions and unknown _pq_. options, close after a
//                    CancelRequest
//   simple query     results up to the first error, then one Z
//   extended query   replies to P B D E C; after an error nothing is answered, whatever it is, up to the Sync; one Z
//                    per Sync
//   function call    (V | E) and one Z each
//   COPY FROM STDIN  G, then data up to CopyDone or CopyFail; a Sync or Flush between them is swallowed
//
// Replies to P B D E C wait for the Sync or Flush behind them. What the statements mean is the business of a subclass:
// it recognises a statement once, as a plan, and the plan holds the replies.

#include "codecs/exchange.hpp"
#include "codecs/pg/copy_receiver.hpp"
#include "codecs/pg/function_call.hpp"
#include "codecs/pg/prepared.hpp"
#include "codecs/pg/skim.hpp"
#include "codecs/pg/startup.hpp"

#include <string>

namespace codecs::pg {

class conversation : public codecs::conversation {
 public:
  /// `backend_pid` is told to the client as the process that serves it.
  explicit conversation(std::int32_t backend_pid);

  scan_result scan(bytes_view unread) const final;
  appetite skim(bytes_view unread) const final;
  answer on_frame(bytes_view frame, send_buffer& out) final;
  answer go_on(send_buffer& out) final;

 protected:
  /// One execution that is being bound.
  struct bound {
    const plan& what;
    std::span<const oid> parameter_types;
    const bind& values;
    format results;
  };

  /// What a statement is; it comes without semicolon and without comments around it. The plan stays as it is and where it
  /// is as long as the conversation. Null: unknown, which is answered by 0A000.
  virtual const plan* recognise(std::string_view statement) const = 0;

  /// Executes: writes the reply, or puts a long one into `stream`. By default: the plan's own reply. It is asked at the Bind.
  virtual std::optional<refusal> reply_to(const bound& execution, writer& out,
                                          std::unique_ptr<reply_stream>& stream);

  /// Answers a FunctionCall: writes its FunctionCallResponse.
  virtual std::optional<refusal> call(const function_call& what, writer& out) = 0;

  /// What takes the data of a plan whose effect is copy_in; it lives as long as the conversation.
  virtual copy_receiver* receiver_of(const plan&) { return nullptr; }

  /// A transaction is over, be it a block, a FunctionCall of its own, or what stands before a Sync.
  virtual void on_transaction_end() {}

 private:
  answer on_startup(bytes_view frame, writer& out);
  answer on_startup_message(bytes_view frame, writer& out);
  answer on_message(bytes_view frame, writer& out);
  answer on_extended(bytes_view frame, writer& out);
  answer on_copying(bytes_view frame, writer& out);
  std::optional<refusal> take_copy(bytes_view frame, writer& out);

  void on_query(bytes_view frame, writer& out);
  void on_function_call(bytes_view frame, writer& out);
  std::optional<refusal> answer_query(bytes_view frame, writer& out);
  void remember(std::string_view text, const plan& what);
  std::optional<refusal> run(const plan& what, writer& out);
  std::optional<refusal> respond(bytes_view frame, writer& out);
  std::optional<refusal> on_parse(bytes_view frame, writer& out);
  std::optional<refusal> on_bind(bytes_view frame, writer& out);
  std::optional<refusal> on_describe(bytes_view frame, writer& out);
  std::optional<refusal> on_execute(bytes_view frame, writer& out);
  std::optional<refusal> begin_copy(const plan& what, writer& out);
  std::optional<refusal> begin_stream(const execute& asked, reply_stream& stream);
  std::optional<refusal> on_close(bytes_view frame, writer& out);
  std::optional<refusal> call_function(bytes_view frame, writer& out);

  std::optional<refusal> recognise_one(std::string_view text, const plan*& found) const;
  std::optional<refusal> refuse_in_failed_block(const plan& what) const;
  void take_effect(const plan& what);
  void end_transaction();
  /// What COMMIT of a failed block is answered.
  static bytes_view rollback_reply();
  bool rolled_back(const plan& what) const {
    return what.does() == effect::commit && status_ == transaction_status::failed;
  }

  // Everything that is sent, and so counted.
  void refuse(const refusal& why, writer& out);
  answer end_session(const refusal& why, writer& out);
  void send_error(std::string_view severity, const refusal& why, writer& out);
  void ready(writer& out);
  void send(bytes_view messages, writer& out);
  void send_bare(std::uint8_t type, writer& out);

  std::int32_t backend_pid_;
  bool started_ = false;
  bool skipping_ = false;  // up to the next Sync
  transaction_status status_ = transaction_status::idle;
  prepared prepared_;
  reply_stream* streaming_ = nullptr;  // of a portal; no request is taken before it is at its end
  copy_receiver* copying_ = nullptr;   // set: a COPY goes on
  std::string last_text_;              // the last simple query of one statement, and what it is
  const plan* last_plan_;
};

}  // namespace codecs::pg
