import type { Random } from './random.ts'
import { repositoryUrl, type World } from './world.ts'

/** An issue or a pull request. Both draw their numbers from one series per repository. */
export interface Subject {
  readonly url: string
  readonly key: 'issue' | 'pull_request'
  readonly repository: number
  readonly number: number
  /** When it was opened, as a part of the years the archive spans. */
  readonly opened: number
}

export function subjectCount({ counts }: World): number {
  return counts.issues + counts.pull_requests
}

/** The subject of that index; the pull requests are spread evenly among the issues. */
export function subjectAt(world: World, index: number): Subject {
  const total = subjectCount(world)
  const pulls = world.counts.pull_requests
  const before = (end: number) => Math.floor((end * pulls) / total)
  const isPull = before(index + 1) > before(index)
  // Every fourth is of the second repository.
  const repository = index % 4 === 3 ? 1 : 0
  const number = 1 + (repository === 1 ? Math.floor(index / 4) : index - Math.floor(index / 4))
  return {
    url: `${repositoryUrl(repository)}/${isPull ? 'pull' : 'issues'}/${number}`,
    key: isPull ? 'pull_request' : 'issue',
    repository,
    number,
    opened: (0.98 * index) / total,
  }
}

/** The pull request of that index among the pull requests. */
export function pullAt(world: World, index: number): Subject {
  const total = subjectCount(world)
  return subjectAt(world, Math.ceil(((index + 1) * total) / world.counts.pull_requests) - 1)
}

/** The issue of that index among the issues. */
export function issueAt(world: World, index: number): Subject {
  const total = subjectCount(world)
  return subjectAt(world, Math.floor((index * total) / world.counts.issues))
}

/** Any subject: a few are talked about a great deal, most a little. */
export function someSubject(world: World, random: Random): Subject {
  const total = subjectCount(world)
  return subjectAt(world, (random.skewed(total) * 7919) % total)
}

/** Some time after the subject was opened: soon after, as a rule. */
export function later(subject: Subject, random: Random): number {
  return subject.opened + random.fraction() ** 4 * (1 - subject.opened)
}
