#include "bench/workloads/docs_raw.hpp"

#include "wire/status.hpp"

#include "bench/workloads/connect.hpp"
#include "bench/workloads/mongo_op_set.hpp"

namespace bench::workloads {
namespace {

class docs_raw final : public docs_client {
 public:
  docs_raw(std::unique_ptr<wire::mongo::client> client, std::string in, const docs_data& data,
           std::uint64_t batch)
      : docs_client(data, batch), client_(std::move(client)), collection_(std::move(in)) {}

  std::optional<std::uint64_t> syscalls() const override { return client_->channel().counters().syscalls(); }

  std::optional<traffic> counted() const override {
    const auto& counters = client_->channel().counters();
    return traffic{.frames_out = counters.frames_out,
                   .frames_in = counters.frames_in,
                   .bytes_out = counters.bytes_out,
                   .bytes_in = counters.bytes_in};
  }

 private:
  absl::Status insert(std::span<const codecs::bytes_view> documents, std::uint64_t& inserted) override {
    const auto error =
        client_->insert({.database = database, .collection = collection_, .documents = documents});
    inserted = static_cast<std::uint64_t>(client_->inserted().written);
    return told(error);
  }

  void add_update(codecs::bytes_view filter, codecs::bytes_view change) override {
    if (statements_.size() == added_) statements_.emplace_back();
    build(statements_[added_++], codecs::mongo::update_statement{.filter = filter, .change = change});
  }

  absl::Status update(std::uint64_t& matched, std::uint64_t& modified) override {
    views_.clear();
    for (std::size_t i = 0; i < added_; ++i) views_.push_back(statements_[i].view());
    added_ = 0;
    const auto error =
        client_->update({.database = database, .collection = collection_, .statements = views_});
    matched = static_cast<std::uint64_t>(client_->updated().matched);
    modified = static_cast<std::uint64_t>(client_->updated().modified);
    return told(error);
  }

  absl::Status find(codecs::bytes_view filter, codecs::mongo::document_sink& found) override {
    return told(client_->find({.database = database, .collection = collection_, .filter = filter}, found));
  }

  absl::Status told(const wire::error_code& error) const {
    if (error == codecs::errc::remote_server_error)
      return absl::AbortedError("raw client: " + client_->why());
    return wire::to_status(error, "raw client", client_->why());
  }

  std::unique_ptr<wire::mongo::client> client_;
  std::string collection_;
  std::deque<codecs::mongo::document> statements_;
  std::size_t added_ = 0;
  std::vector<codecs::bytes_view> views_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<wire::mongo::client>> connect_mongo(const wire::endpoint& to,
                                                                   wire::watchdog& dog,
                                                                   const wrap_transport& wrap) {
  auto transport = connect(to, dog);
  if (!transport.ok()) return transport.status();
  if (wrap) transport = wrap(*std::move(transport));
  auto client = std::make_unique<wire::mongo::client>(*std::move(transport), &dog);
  const auto error = client->hello();
  if (error) return wire::to_status(error, "hello", client->why());
  return client;
}

absl::StatusOr<std::unique_ptr<docs_client>> open_docs_raw(const wire::endpoint& to, const std::string& in,
                                                           const docs_data& data, std::uint64_t batch,
                                                           wire::watchdog& dog) {
  auto client = connect_mongo(to, dog);
  if (!client.ok()) return client.status();
  return std::make_unique<docs_raw>(*std::move(client), in, data, batch);
}

}  // namespace bench::workloads
