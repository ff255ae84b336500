import { registerArithmetic } from './arithmetic';
import { registerConv } from './conv';
import { registerFill } from './fill';
import { registerFused } from './fused';
import { registerGather, registerScatter } from './gather';
import { registerHost } from './hostKernels';
import { registerImage } from './image';
import { registerMatMul } from './matmul';
import { registerMissing } from './missing';
import { registerNn } from './nn';
import { registerPool } from './pool';
import { registerQuantised } from './quantised';
import { registerReduce } from './reduce';
import { registerShape } from './shape';
import { registerSpace } from './space';
import { registerUnary } from './unary';
import { registerWhole } from './whole';

let isDone = false;

/** tfjs' kernel registry is one per process: once is enough for every back end instance. */
export function registerKernels(): void {
  if (isDone) return;
  isDone = true;
  registerArithmetic();
  registerUnary();
  registerReduce();
  registerMatMul();
  registerQuantised();
  registerShape();
  registerGather();
  registerScatter();
  registerFill();
  registerNn();
  registerConv();
  registerPool();
  registerFused();
  registerWhole();
  registerImage();
  registerSpace();
  registerHost();
  registerMissing();
}
