#include "wire/strategy/digest_sink.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace wire {

void digest_sink::free_context::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

digest_sink::digest_sink() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

digest_sink::~digest_sink() = default;

bool digest_sink::put(codecs::bytes_view bytes) {
  EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
  return done(bytes);
}

std::string digest_sink::sha256() {
  std::array<unsigned char, 32> sum;
  EVP_DigestFinal_ex(context_.get(), sum.data(), nullptr);
  return fmt::format("{:02x}", fmt::join(sum, ""));
}

}  // namespace wire
