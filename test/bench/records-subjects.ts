import { labelUrls } from './labels.ts'
import { body, sentence, word } from './prose.ts'
import { type Random, shuffle } from './random.ts'
import { milestoneUrl } from './records-repository.ts'
import { uploadStride, uploadUrl } from './records-uploads.ts'
import { issueAt, later, pullAt, type Subject } from './subjects.ts'
import {
  date,
  host,
  localDate,
  owner,
  randomOf,
  repositoryNames,
  repositoryUrl,
  someAuthor,
  someUser,
  type World,
} from './world.ts'

export function issue(world: World, index: number): object {
  const random = randomOf(world, 'issues', index)
  const subject = issueAt(world, index)
  const closed = random.chance(0.75) ? later(subject, random) : null
  const stride = uploadStride(world)
  const upload = index % stride === 0 && index / stride < world.counts.repository_files
  const text = random.chance(0.01) ? null : body(random, 5)
  return {
    type: 'issue',
    url: subject.url,
    repository: repositoryUrl(subject.repository),
    user: someAuthor(world, random),
    title: sentence(random),
    body: upload ? `${text ?? ''}\r\n\r\n[log](${uploadUrl(index / stride)})` : text,
    ...planning(world, subject, random),
    reactions: reactions(world, 'Issue', subject.opened, random),
    closed_at: closed === null ? null : date(closed),
    created_at: date(subject.opened),
    updated_at: date(closed ?? later(subject, random)),
  }
}

export function pullRequest(world: World, index: number): object {
  const random = randomOf(world, 'pull_requests', index)
  const subject = pullAt(world, index)
  const repository = repositoryUrl(subject.repository)
  const fork = random.chance(0.4) ? someUser(world, random) : undefined
  const forkName = repositoryNames[subject.repository === 0 ? 0 : 1]
  const closed = random.chance(0.93) ? later(subject, random) : null
  const merged = random.chance(0.7) ? closed : null
  const author = random.chance(0.01) ? null : someAuthor(world, random)
  return {
    type: 'pull_request',
    url: subject.url,
    user: author,
    repository,
    title: sentence(random),
    body: random.chance(0.08) ? null : body(random, 3),
    base: { ref: 'main', sha: random.hex(40), user: `${host}/${owner}`, repo: repository },
    head: {
      ref: `${word(random)}-${word(random)}-${random.below(1000)}`,
      sha: random.hex(40),
      user: fork ?? `${host}/${owner}`,
      repo: fork === undefined ? repository : random.chance(0.05) ? null : `${fork}/${forkName}`,
    },
    ...planning(world, subject, random),
    reactions: reactions(world, 'Issue', subject.opened, random),
    review_requests: random.chance(0.2) ? [reviewRequest(world, subject, random)] : [],
    close_issue_references: [],
    work_in_progress: random.chance(0.03),
    merged_at: merged === null ? null : date(merged),
    closed_at: closed === null ? null : date(closed),
    created_at: date(subject.opened),
    merge_commit_sha: merged === null && random.chance(0.1) ? null : random.hex(40),
  }
}

function planning(world: World, { repository }: Subject, random: Random): object {
  const all = Array.from({ length: random.skewed(4) }, () => someUser(world, random))
  const assignees = shuffle([...new Set(all)], random)
  const share = Math.floor(world.counts.milestones / 2)
  return {
    assignee: assignees[0] ?? null,
    assignees,
    milestone: random.chance(0.3) ? milestoneUrl(random.below(share) * 2 + repository) : null,
    labels: labelUrls(repository, random),
  }
}

const contents = ['+1', '+1', '+1', 'heart', 'tada', 'eyes', '-1', 'rocket', 'smile']

export function reactions(world: World, type: string, at: number, random: Random): object[] {
  if (random.chance(0.9)) return []
  return Array.from({ length: 1 + random.skewed(6) }, () => ({
    user: random.chance(0.5) ? someUser(world, random) : `${host}/passer-by-${random.below(1e6)}`,
    content: random.pick(contents),
    subject_type: type,
    created_at: localDate(at + 0.02 * random.fraction()),
  }))
}

function reviewRequest(world: World, subject: Subject, random: Random): object {
  const at = date(later(subject, random))
  const reviewer = someUser(world, random)
  return { reviewer, reviewer_type: 'User', created_at: at, updated_at: at, dismissed_at: null }
}
