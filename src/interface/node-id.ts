/** The types of node IDs. An issue event has a type for each kind of event: `eventType`. */
export type NodeType =
  | 'User'
  | 'Bot'
  | 'Organization'
  | 'Team'
  | 'Repository'
  | 'Label'
  | 'Milestone'
  | 'Issue'
  | 'PullRequest'
  | 'IssueComment'
  | 'PullRequestReview'
  | 'PullRequestReviewComment'
  | 'CommitComment'
  | 'Release'
  | 'ReleaseAsset'
  | 'Reaction'
  | 'ProjectCard'
  | 'Integration'
  | 'Migration'
  | 'MigrationArchive'
  | 'MigrationSource'
  | 'RepositoryMigration'
  | 'Mannequin'
  | `${string}Event`

/**
 * The `node_id` of a resource: the length of its type, the type and the number, in Base64.
 *
 * @example
 * formatNodeId('User', 17) // 'MDQ6VXNlcjE3', which is 04:User17
 */
export const formatNodeId = (type: NodeType, id: number): string =>
  Buffer.from(`0${type.length}:${type}${id}`).toString('base64')

/**
 * The type and number of a node ID; undefined for any other text.
 *
 * @example
 * parseNodeId('MDQ6VXNlcjE3') // { type: 'User', id: 17 }
 */
export function parseNodeId(text: string): { type: string; id: number } | undefined {
  const decoded = Buffer.from(text.slice(0, 200), 'base64').toString('latin1')
  const [, type = '', digits = ''] = /^0\d+:([A-Za-z]+)(\d{1,15})$/.exec(decoded) ?? []
  const id = Number(digits)
  return type !== '' && formatNodeId(type as NodeType, id) === text ? { type, id } : undefined
}

/**
 * The type of an issue event's node ID.
 *
 * @example
 * eventType('moved_columns_in_project') // 'MovedColumnsInProjectEvent'
 */
export function eventType(kind: string): NodeType {
  if (kind === 'renamed') return 'RenamedTitleEvent'
  const camel = kind.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return `${camel}Event`
}
