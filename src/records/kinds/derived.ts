import {
  type Derivation,
  fullName,
  lastPart,
  numberAtEnd,
  repositoryOfThread,
} from './derivation.ts'
import type { Derived } from './kind.ts'

export const textFrom = (from: Derivation, description: string): Derived => ({
  storage: 'text',
  description,
  from,
})

const integerFrom = (from: Derivation, description: string): Derived => ({
  storage: 'integer',
  description,
  from,
})

export const ownNumber = integerFrom(numberAtEnd('url'), 'Its number, from the end of its url.')

export const ownId = integerFrom(
  numberAtEnd('url'),
  "The host's number for it, from the end of its url.",
)

export const fullNameOf = (repository: string) =>
  textFrom(fullName(repository), 'owner/name of the repository.')

/** The login of `member`, who is `role`: `loginOf('user', 'who wrote it')`. */
export const loginOf = (member: string, role: string) =>
  textFrom(lastPart(member), `Login of ${role}, from the end of the url.`)

/** Where a part of a thread belongs, once `thread` tells which one that is; `what` calls it in words. */
export const placeIn = (thread: Derivation, what = 'issue or pull request') => ({
  thread: textFrom(thread, `The ${what} it is part of, by url.`),
  number: integerFrom(numberAtEnd('thread'), `Number of the ${what}.`),
  repository: textFrom(repositoryOfThread('thread'), 'The repository, by url.'),
  full_name: fullNameOf('repository'),
})
