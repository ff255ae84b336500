/**
 * How the C library (glibc) keeps the memory of a process that trains. As it comes, it maps each large tensor anew and gives it back once it is freed, until it
 * has seen some; then it tears its heap into pieces. These are read when a process starts, so it can't set them for itself. (mallopt(3))
 */

/** Pages of 2 MiB where the system leaves it to the program: zeroed and found sooner, a twentieth to a tenth of SmolLM2's time, in training as in decoding. */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Freed memory stays with the process, for its next tensor: mapped anew, the system zeroes the same pages again for each product of a step, a fifteenth to a third of SmolLM2's time. */
const KEEPS = { MALLOC_MMAP_MAX_: '0', MALLOC_TRIM_THRESHOLD_: String(2 ** 34), ...HUGE_PAGES };

/**
 * For those who hold weights in 4 bits since they have little memory: what is as large as a huge page is mapped on its own and given back, and so is what lies free
 * at the heap's end. From half that size on, each step's logits were mapped anew in small pages (decoding 8 lanes of SmolLM2 takes 15 % less so, a GRPO step 10 %,
 * its peak 3 % more; with 4 and 32 MiB a third more).
 */
const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: String(2 ** 21), MALLOC_TRIM_THRESHOLD_: String(2 ** 23), ...HUGE_PAGES };

type Environment = Record<string, string | undefined>;
export interface Trained { model: string; quantize?: 'none' | 'q4' | undefined }

/** The environment of a process that is to train this; what is set already stays. @param trained null: not known */
export function trainingEnvironment<E extends Environment>(trained: Trained | null, environment: E, platform: string): E {
  if (platform !== 'linux' || trained?.model === 'nano') return environment;
  return { ...(trained?.quantize === 'q4' ? GIVES_BACK : KEEPS), ...environment };
}
