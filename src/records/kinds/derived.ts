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

/** Where a part of a thread belongs, once `thread` tells which issue or pull request that is. */
export const placeIn = (thread: Derivation) => ({
  thread: textFrom(thread, 'The issue or pull request it is part of, by url.'),
  number: integerFrom(numberAtEnd('thread'), 'Number of the issue or pull request.'),
  repository: textFrom(repositoryOfThread('thread'), 'The repository, by url.'),
  full_name: fullNameOf('repository'),
})
