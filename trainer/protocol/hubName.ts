/**
 * How a model of the Hugging Face hub is named: OWNER/NAME, with /FILE.gguf or @REVISION, or the address of its page.
 * Groups: OWNER/NAME, the file, the revision.
 */
export const HUB_NAME = /^(?:https:\/\/huggingface\.co\/)?([\w.-]+\/[\w.-]+)(?:\/([\w.-]+\.gguf))?(?:@([\w./-]+))?$/;
