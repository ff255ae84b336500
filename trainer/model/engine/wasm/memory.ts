/**
 * A wasm memory ends at 4 GiB. Beyond it malloc answers 0, and tfjs writes to address 0, over other tensors, without a
 * word: here it is an error.
 */

interface Heap {
  _malloc(bytes: number): number;
  _free(offset: number): void;
  HEAPU8: Uint8Array;
}
/**
 * What XNNPACK and the kernels may take for themselves (a packed copy of a weight, tables of indices), out of our
 * sight.
 */
const RESERVE_BYTES = 256 * 2 ** 20;
/** Below this size of the heap it can still grow by the reserve: no need to try. */
const SAFE_BYTES = 3.5 * 2 ** 30;

/**
 * Every tensor's memory comes from this malloc. Once per back end.
 * @throws from then on, at the tensor that has no room, before anything is written; earlier tensors keep their values
 */
export function guardMemory(backend: { wasm: object }): void {
  const heap = backend.wasm as Heap;
  heap._free(heap._malloc(8)); // emscripten's export replaces itself at its first call
  const [malloc, free] = [heap._malloc, heap._free];
  const sizes = new Map<number, number>();
  let used = 0;
  const give = (offset: number): void => {
    used -= sizes.get(offset >>> 0) ?? 0;
    sizes.delete(offset >>> 0);
    free(offset);
  };
  heap._malloc = (bytes) => {
    const offset = malloc(bytes) >>> 0; // above 2 GiB it comes as a negative number
    const isFull = (offset === 0 && bytes > 0) || !hasReserve();
    if (isFull) {
      if (offset !== 0) free(offset);
      throw new Error(
        `wasm: no room for ${megabytes(bytes)} MB: tensors take ${megabytes(used)} MB of the 4295 MB ` +
          'that a wasm memory can have; take smaller batches (tokensPerMicroBatch), a smaller model, or the engine onnx',
      );
    }
    sizes.set(offset, bytes);
    used += bytes;
    return offset;
  };
  heap._free = give;

  function hasReserve(): boolean {
    if (heap.HEAPU8.byteLength < SAFE_BYTES) return true;
    const tried = malloc(RESERVE_BYTES);
    if (tried === 0) return false;
    free(tried);
    return true;
  }
}
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
