/** What settings choose from. */
import { z } from 'zod';
import { INERTIAL } from '../toolGraph';

export const Method = z.enum(['grpo', 'dpo', 'sft']);
export type Method = z.infer<typeof Method>;
export const ToolPolicy = z.enum(['real', 'mock', 'ask']);
export type ToolPolicy = z.infer<typeof ToolPolicy>;
export const ToolNetwork = z.enum(['allow', 'deny']);
export type ToolNetwork = z.infer<typeof ToolNetwork>;
export const EngineChoice = z.enum(['auto', 'tfjs-node-gpu', 'onnx', 'tfjs-node', 'wasm', 'cpu']);
export type EngineChoice = z.infer<typeof EngineChoice>;
export const DeviceChoice = z.enum(['auto', 'cpu', 'webgpu']);
export type DeviceChoice = z.infer<typeof DeviceChoice>;
export const ToolInertia = z.enum(['off', ...INERTIAL]);
export type ToolInertia = z.infer<typeof ToolInertia>;
export const JudgeMode = z.enum(['listwise', 'pairwise']);
export type JudgeMode = z.infer<typeof JudgeMode>;

export const DPO_LOSS_TYPES = [
  'sigmoid',
  'robust',
  'hinge',
  'ipo',
  'sigmoid_norm',
  'exo_pair',
  'nca_pair',
  'bco_pair',
  'sppo_hard',
  'apo_zero',
  'apo_down',
  'aot',
  'aot_unpaired',
  'discopop',
  'sft',
] as const;
/** `NAME` or `NAME*weight` */
export const DPO_LOSS = new RegExp(`^(${DPO_LOSS_TYPES.join('|')})(\\*[0-9.]+)?$`);
