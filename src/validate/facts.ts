import { createHash } from 'node:crypto'
import type { HandlerName } from '../interface/endpoints.ts'
import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import { SHORT_REFERENCE } from '../transform/map/map-texts.ts'

/** Something that both sides should have, with the members that should be the same. */
export interface Fact {
  /** Default: that of the list. */
  kind?: string
  /** Identifies it on both sides: ids differ between servers. */
  key: string
  members: JsonObject
}

/** A list of the interface, and the facts in its elements. */
export interface FactList {
  readonly kind: string
  readonly handler: HandlerName
  readonly query?: Readonly<Record<string, string>>
  /** Its members belong to facts that a list before has. */
  readonly joins?: true
  /** Undefined for an element that is no fact of this kind. */
  readonly factOf: (element: JsonObject, textOf: TextOf) => Fact | undefined
}

/** Describes a text in bounded size. Addresses of the repository, and `owner/name#12`, count as the same on both sides. */
export type TextOf = (text: JsonValue | undefined) => string | null

/** Makes `TextOf` for a repository with this address. An importer may keep its old name, so both sides know both. */
export const textsOf =
  (repository: string, names: readonly string[]): TextOf =>
  (text) => {
    if (typeof text !== 'string' || text === '') return null
    const common = (repository === '' ? text : text.replaceAll(repository, COMMON)).replace(
      SHORT_REFERENCE,
      (name) => (names.includes(name.toLowerCase()) ? COMMON : name),
    )
    const sum = createHash('sha256').update(common).digest('hex').slice(0, 16)
    return `${common.length} characters, sha256 ${sum}`
  }

/** Stands for the repository in a text. */
const COMMON = '<repository>'

/** The lists that are compared as a whole, without a request for each thread. */
export const FACT_LISTS: readonly FactList[] = [
  {
    kind: 'labels',
    handler: 'repositoryLabels',
    factOf: (label) => ({
      key: textIn(label.name),
      members: { color: textIn(label.color).toLowerCase(), description: label.description || null },
    }),
  },
  {
    kind: 'milestones',
    handler: 'repositoryMilestones',
    query: { state: 'all' },
    factOf: (milestone, textOf) => ({
      key: textIn(milestone.title),
      members: {
        ...pick(milestone, 'state', 'created_at', 'due_on'),
        description: textOf(milestone.description),
      },
    }),
  },
  {
    kind: 'issues',
    handler: 'repositoryIssues',
    query: { state: 'all' },
    factOf: (issue, textOf) => ({
      ...(isObject(issue.pull_request) && { kind: 'pull_requests' }),
      ...threadOf(issue, textOf),
    }),
  },
  {
    kind: 'pull_requests',
    handler: 'repositoryPulls',
    query: { state: 'all' },
    joins: true,
    factOf: (pull) => ({
      key: `#${pull.number}`,
      members: {
        merged_at: pull.merged_at ?? null,
        base: memberOf(pull.base, 'ref'),
        head: memberOf(pull.head, 'ref'),
      },
    }),
  },
  {
    kind: 'issue_comments',
    handler: 'repositoryComments',
    factOf: (comment, textOf) => ({
      key: `#${lastPart(comment.issue_url)} ${comment.created_at}`,
      members: messageOf(comment, textOf),
    }),
  },
  {
    kind: 'pull_request_review_comments',
    handler: 'repositoryReviewComments',
    factOf: (comment, textOf) => ({
      key: `#${lastPart(comment.pull_request_url)} ${comment.path} ${comment.created_at}`,
      members: messageOf(comment, textOf),
    }),
  },
  {
    kind: 'commit_comments',
    handler: 'repositoryCommitComments',
    factOf: (comment, textOf) => ({
      key: `${comment.commit_id} ${comment.created_at}`,
      members: messageOf(comment, textOf),
    }),
  },
  {
    kind: 'releases',
    handler: 'repositoryReleases',
    factOf: (release, textOf) => ({
      key: textIn(release.tag_name),
      members: {
        ...pick(release, 'draft', 'prerelease', 'published_at'),
        name: release.name || null,
        body: textOf(release.body),
        assets: objectsIn(release.assets)
          .map(({ name, size }) => `${name}, ${size} bytes`)
          .sort(),
      },
    }),
  },
]

/** The reviews of one pull request. A pending one is seen by its author alone. */
export const reviewsOf = (number: string): FactList => ({
  kind: 'pull_request_reviews',
  handler: 'pullReviews',
  factOf: (review, textOf) =>
    review.state === 'PENDING'
      ? undefined
      : {
          key: `${number} ${review.submitted_at}`,
          members: { state: review.state ?? null, ...messageOf(review, textOf) },
        },
})

const threadOf = (issue: JsonObject, textOf: TextOf): Fact => ({
  key: `#${issue.number}`,
  members: {
    ...pick(issue, 'title', 'state', 'created_at', 'closed_at', 'comments'),
    ...messageOf(issue, textOf),
    labels: objectsIn(issue.labels)
      .map(({ name }) => textIn(name))
      .sort(),
    milestone: memberOf(issue.milestone, 'title'),
    assignees: objectsIn(issue.assignees).map(loginIn).sort(),
  },
})

/** What somebody wrote. */
const messageOf = ({ user, body }: JsonObject, textOf: TextOf): JsonObject => ({
  author: loginIn(user),
  body: textOf(body),
})

/** A login; that of nobody is `ghost` on hosts. */
function loginIn(user: JsonValue | undefined): string {
  const login = isObject(user) ? user.login : undefined
  return typeof login === 'string' ? login.toLowerCase() : 'ghost'
}

const pick = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, object[name] ?? null]))

const memberOf = (object: JsonValue | undefined, name: string): JsonValue =>
  (isObject(object) ? object[name] : null) ?? null

const textIn = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const objectsIn = (list: JsonValue | undefined): JsonObject[] =>
  Array.isArray(list) ? list.filter(isObject) : []

const lastPart = (address: JsonValue | undefined): string =>
  textIn(address).split('/').at(-1) as string
