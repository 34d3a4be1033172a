// Debian has no zstd for 64-bit big-endian Power: what asks for it is told
// that it fails, so that chunks stay as they are and compressed ones are
// refused. Compression itself is zstd's own affair.
#include <zstd.h>

size_t ZSTD_compressBound(size_t size) { return size; }
size_t ZSTD_compress(void*, size_t, const void*, size_t, int) {
  return size_t{0} - 1;
}
size_t ZSTD_decompress(void*, size_t, const void*, size_t) {
  return size_t{0} - 1;
}
unsigned ZSTD_isError(size_t code) { return code > size_t{0} - 120 ? 1 : 0; }
