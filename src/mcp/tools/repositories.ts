import { count, flag, listOf, NEXT_CURSOR, object, PAGING, text, textOrNull } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const LISTED = object({
  name: text('owner/name'),
  url: text('Its address on the host'),
  private: flag('Whether only members could see it'),
  archived: flag('Whether it was read-only'),
  description: textOrNull('What its owner says of it'),
  default_branch: textOrNull('The branch that it begins with'),
  issues: count('Issues'),
  open_issues: count('Open issues'),
  pull_requests: count('Pull requests'),
  open_pull_requests: count('Open pull requests'),
  discussions: count('Discussions'),
  releases: count('Releases'),
  has_record: flag('Whether the archive has its record; otherwise other records name it'),
  has_git: flag('Whether its Git data can be read'),
  has_wiki: flag('Whether the Git data of its wiki can be read'),
})

export const listRepositories = defineTool<{ cursor?: string }>({
  title: 'List repositories',
  description:
    'Lists the repositories of the archive with counts of their threads, and whether their Git data are there. Call it first: other tools take these names.',
  input: PAGING,
  output: {
    total: count('Repositories'),
    repositories: listOf(LISTED, 'In the order of their names'),
    next_cursor: NEXT_CURSOR,
  },
  run: async (options, asked) =>
    (await import('../answers/repositories.ts')).listRepositories(options, asked),
})
