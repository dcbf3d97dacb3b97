import { BUSINESS } from './business.ts'
import { CLOUD } from './cloud.ts'
import { CODE } from './code.ts'
import type { SecretForm } from './form.ts'
import { HASHES } from './hashes.ts'
import { MODELS } from './models.ts'
import { OPERATIONS } from './operations.ts'

/** Tokens and hashes of passwords with a prefix of their own. A text is never taken for a secret because it looks random. */
export const SECRETS: readonly SecretForm[] = [
  ...CODE,
  ...CLOUD,
  ...OPERATIONS,
  ...MODELS,
  ...BUSINESS,
  ...HASHES,
]
