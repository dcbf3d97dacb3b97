import { createNeedleFinder } from '../../find-needles.ts'
import type { Finding } from '../finding.ts'
import type { KnownSecrets } from '../removed-values.ts'

/** Creates a finder of secrets that are known: one that follows `password=` in a text may stand for itself in another. */
export function createKnownSecretFinder(secrets: KnownSecrets): (text: string) => Finding[] {
  const find = createNeedleFinder(
    secrets
      .entries()
      .map(([text, secret]) => [text, { ...secret, before: text.lastIndexOf(secret.value) }]),
  )
  return (text) => {
    const found: Finding[] = []
    const bytes = Buffer.from(text)
    find(bytes, (at, { before, ...secret }) => {
      const start = bytes.toString('utf8', 0, at).length + Math.max(0, before)
      found.push({ type: 'secret', start, end: start + secret.value.length, ...secret })
      return false
    })
    return found
  }
}
