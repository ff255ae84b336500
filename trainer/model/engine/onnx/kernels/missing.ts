/**
 * Kernels that tfjs knows and the onnx back end lacks: each is registered to say so, with what tfjs alone would not
 * tell.
 */
import * as tf from '@tensorflow/tfjs';
import { unregistered } from '../../kernelNames';
import { backendName, callSite, describeInputs } from './register';

const stubs = new Set<string>();
/** Sorted. Empty before registerKernels. */
export const missingKernels = (): string[] => [...stubs];

/** After all others. */
export function registerMissing(): void {
  for (const kernelName of unregistered(backendName)) {
    stubs.add(kernelName);
    tf.registerKernel({
      kernelName,
      backendName,
      kernelFunc: ({ inputs }) => {
        throw new Error(
          `onnx: there is no kernel ${kernelName}${opOf(callSite())}${describeInputs(inputs)}; do ` +
            'without this op, or set agentCoach.engine to another engine (coach engines lists what each lacks)',
        );
      },
    });
  }
}

/** The tfjs op that asked for the kernel; tfjs writes its name with an underscore behind. */
function opOf({ stack = '' }: Error): string {
  const op = /runKernel \(.*\n\s+at (?:\w+\.)*(\w+?)_* \(/.exec(stack)?.[1];
  return op ? `, which tf.${op} needs` : '';
}
