/**
 * How the C library keeps the memory of a process that trains a large model. As it comes, glibc maps each large tensor anew and gives it back once it is freed,
 * so that the system zeroes the same pages again for each product of a step: a fifteenth to a third of SmolLM2's time. With these settings freed memory stays
 * with the process, for its next tensor. They are read when a process starts, so it can't set them for itself. (mallopt(3))
 */
const KEEPS_MEMORY = { MALLOC_MMAP_MAX_: '0', MALLOC_TRIM_THRESHOLD_: String(2 ** 34) };

type Environment = Record<string, string | undefined>;

/** The environment of a process that is to train this model; what is set already stays. @param model null: not known */
export const trainingEnvironment = <E extends Environment>(model: string | null, environment: E, platform: string): E => (model === 'nano' || platform !== 'linux' ? environment : { ...KEEPS_MEMORY, ...environment });
