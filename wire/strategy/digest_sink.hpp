#pragma once
// A download of which only the SHA-256 is kept, to be compared with the sender's.

#include "wire/strategy/sink.hpp"

#include <memory>

struct evp_md_ctx_st;  // EVP_MD_CTX

namespace wire {

class digest_sink final : public sink {
 public:
  digest_sink();
  ~digest_sink() override;

  bool put(codecs::bytes_view bytes) override;

  /// Of all bytes, as 64 lower-case digits. Asked once: it ends the sum.
  std::string sha256();

 private:
  struct free_context {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, free_context> context_;
};

}  // namespace wire
