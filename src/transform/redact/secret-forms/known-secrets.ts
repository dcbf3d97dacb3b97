import { createNeedleFinder } from '../../find-needles.ts'
import type { Finding } from '../finding.ts'
import type { KnownSecrets } from '../removed-values.ts'

/** Creates a finder of secrets that are known: one that follows `password=` in a text may stand for itself in another. */
export function createKnownSecretFinder(secrets: KnownSecrets): (text: string) => Finding[] {
  const find = createNeedleFinder(secrets)
  return (text) => {
    const found: Finding[] = []
    const bytes = Buffer.from(text)
    find(bytes, (at, { start, end, ...secret }) => {
      const from = bytes.toString('utf8', 0, at).length
      found.push({ type: 'secret', start: from + start, end: from + end, ...secret })
      return false
    })
    return found
  }
}
