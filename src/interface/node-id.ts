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
