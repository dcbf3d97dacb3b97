import type { Command } from './command/command.ts'

/**
 * Every command by name, in the order of the help; a subcommand has its group's name before its own. Each is
 * loaded when it is called, not before; a list of them needs only their summaries.
 */
export const COMMANDS = {
  inspect: {
    summary: 'Summarize an archive or a database',
    load: async () => (await import('./commands/inspect.ts')).inspect,
  },
  ls: {
    summary: 'List the entries of an archive: size, records, time, path',
    load: async () => (await import('./commands/ls.ts')).ls,
  },
  cat: {
    summary: 'Print an entry, or the record with a URL, exactly as stored',
    load: async () => (await import('./commands/cat.ts')).cat,
  },
  load: {
    summary: 'Stream archives into a SQLite database',
    load: async () => (await import('./commands/load.ts')).load,
  },
  tables: {
    summary: 'List tables and views with their row counts',
    load: async () => (await import('./commands/tables.ts')).tables,
  },
  schema: {
    summary: 'Describe the columns of a table, or of all tables',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  query: {
    summary: 'Run a SQL query',
    load: async () => (await import('./commands/query.ts')).query,
  },
  search: {
    summary: 'Search titles, texts, comments, reviews and commit messages',
    load: async () => (await import('./commands/search.ts')).search,
  },
  show: {
    summary: 'Show an issue, pull request or discussion with its timeline',
    load: async () => (await import('./commands/show.ts')).show,
  },
  check: {
    summary: 'Check whether an archive is complete and a server would accept it',
    load: async () => (await import('./commands/check.ts')).check,
  },
  doctor: {
    summary: 'Compare a database with what was loaded, and repair what is safe to repair',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  diff: {
    summary: 'Compare two exports record by record, with their files and refs',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  map: {
    summary: 'Rename people, repositories and hosts wherever they appear',
    load: async () => (await import('./commands/map.ts')).map,
  },
  redact: {
    summary: 'Write a copy without e-mail addresses, names, IP addresses and secrets',
    load: async () => (await import('./commands/redact.ts')).redact,
  },
  build: {
    summary: 'Write an importable archive from a database, a folder or an archive',
    load: async () => (await import('./commands/build.ts')).build,
  },
  serve: {
    summary: "Answer GitHub's REST interface from databases or archives, until interrupted",
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  mcp: {
    summary: 'Let an assistant read archives over the Model Context Protocol',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  site: {
    summary: 'Write web pages to read from a disk or on any web host',
    load: async () => (await import('./commands/site.ts')).site,
  },
  export: {
    summary: 'Write records for other programs: Parquet, DuckDB, PostgreSQL, CSV, Markdown',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  shell: {
    summary: 'Run SQL statements at a prompt',
    load: async () => (await import('./commands/shell.ts')).shell,
  },
  completion: {
    summary: 'Print a shell completion script',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  'accounts user': {
    summary: 'Add an account to an accounts file, or change it',
    load: async () => (await import('./commands/accounts/user.ts')).user,
  },
  'accounts token': {
    summary: 'Create a token for an account, and print it this one time',
    load: async () => (await import('./commands/accounts/token.ts')).token,
  },
  'accounts organization': {
    summary: 'Add an organization to an accounts file, or change it',
    load: async () => (await import('./commands/accounts/organization.ts')).organization,
  },
  'accounts remove': {
    summary: 'Remove an account with its tokens, one token, or an organization',
    load: async () => (await import('./commands/accounts/remove.ts')).remove,
  },
  'accounts list': {
    summary: 'List accounts, organizations and the last characters of tokens',
    load: async () => (await import('./commands/accounts/list.ts')).list,
  },
  'attachments list': {
    summary: 'List uploads: what each belongs to, its size, whether its file exists',
    load: async () => (await import('./commands/attachments/list.ts')).list,
  },
  'attachments extract': {
    summary: 'Write uploads to a folder, under safe names, without duplicates',
    load: async () => (await import('./commands/attachments/extract.ts')).extract,
  },
  'attachments check': {
    summary: 'Find uploads that are missing, orphaned, empty or of another type',
    load: async () => (await import('./commands/attachments/check.ts')).check,
  },
  'cache list': {
    summary: 'List cached databases, the most recently used first',
    load: async () => (await import('./commands/cache/list.ts')).list,
  },
  'cache clear': {
    summary: 'Remove cached databases that are not in use',
    load: async () => (await import('./commands/cache/clear.ts')).clear,
  },
  'migration start': {
    summary: 'Start an export of repositories; wait, download and load it, if asked to',
    load: async () => (await import('./commands/migration/start.ts')).start,
  },
  'migration list': {
    summary: 'List migrations, the newest first',
    load: async () => (await import('./commands/migration/list.ts')).list,
  },
  'migration status': {
    summary: 'Show the state of a migration; exit with 1 if it failed',
    load: async () => (await import('./commands/migration/status.ts')).status,
  },
  'migration watch': {
    summary: 'Wait until a migration is exported; exit with 1 if it failed',
    load: async () => (await import('./commands/migration/watch.ts')).watch,
  },
  'migration repos': {
    summary: 'List the repositories of a migration',
    load: async () => (await import('./commands/migration/repos.ts')).repos,
  },
  'migration download': {
    summary: 'Download the archive of a migration; continue where an earlier try stopped',
    load: async () => (await import('./commands/migration/download.ts')).download,
  },
  'migration delete': {
    summary: 'Delete the archive of a migration on the server',
    load: async () => (await import('./commands/migration/delete.ts')).deleteCommand,
  },
  'migration unlock': {
    summary: 'Unlock repositories that a migration has locked',
    load: async () => (await import('./commands/migration/unlock.ts')).unlock,
  },
  'migration validate': {
    summary: 'Compare an archive with the repository that an importer made of it',
    load: async () => (await import('./commands/migration/validate.ts')).validate,
  },
  'migration import': {
    summary: 'Check an archive, upload it to an organization, and import it',
    load: async () => (await import('./commands/migration/import.ts')).importCommand,
  },
  'migration mannequins': {
    summary: 'List people that an import made mannequins, and give what they did to accounts',
    load: async () => (await import('./commands/migration/mannequins.ts')).mannequins,
  },
  'migration authorize': {
    summary: 'Make a token from a user name and a password, which is asked for',
    load: async () => (await import('./commands/migration/authorize.ts')).authorize,
  },
  'repo list': {
    summary: 'List repositories and wikis: size, objects, refs, HEAD',
    load: async () => (await import('./commands/repo/list.ts')).list,
  },
  'repo refs': {
    summary: 'List HEAD, branches, tags and other refs',
    load: async () => (await import('./commands/repo/refs.ts')).refs,
  },
  'repo log': {
    summary: 'Show commits, newest first',
    load: async () => (await import('./commands/repo/log.ts')).log,
  },
  'repo show': {
    summary: 'Show a commit with its changed files, a tag, a folder or a file',
    load: async () => (await import('./commands/repo/show.ts')).show,
  },
  'repo diff': {
    summary: 'Compare two revisions: a patch, statistics, or a table',
    load: async () => (await import('./commands/repo/diff.ts')).diff,
  },
  'repo blame': {
    summary: 'Show where each line of a file comes from: commit, pull request, review',
    load: async () => (await import('./commands/repo/blame.ts')).blame,
  },
  'repo grep': {
    summary: 'Search the files of all repositories, line by line',
    load: async () => (await import('./commands/repo/grep.ts')).grep,
  },
  'repo cat': {
    summary: 'Print a file, commit or tag exactly as stored',
    load: async () => (await import('./commands/repo/cat.ts')).cat,
  },
  'repo merge-base': {
    summary: 'Print the best common ancestors of two or more revisions',
    load: async () => (await import('./commands/repo/merge-base.ts')).mergeBase,
  },
  'repo index': {
    summary: 'Fill the tables of commits, to query history with SQL',
    load: async () => (await import('./commands/repo/index-commits.ts')).indexCommits,
  },
  'repo clone': {
    summary: 'Write a Git repository: objects and refs, without hooks',
    load: async () => (await import('./commands/repo/clone.ts')).clone,
  },
  'repo archive': {
    summary: 'Write the files of a revision as a tar or zip',
    load: async () => (await import('./commands/repo/archive.ts')).archive,
  },
  'repo fsck': {
    summary: 'Verify Git data: packs, indexes, objects, refs',
    load: async () => (await import('./commands/repo/fsck.ts')).fsck,
  },
} as const satisfies Record<string, { summary: string; load: () => Promise<unknown> }>

export type CommandName = keyof typeof COMMANDS

/** The summaries of groups, by the first word of their commands. */
export const GROUPS = {
  accounts: 'Who may sign in to a server: add, remove, list',
  attachments: 'Uploaded files: list, check, extract',
  cache: 'Cached databases: list, clear',
  migration: 'Out of a server and into another: export, import, validate',
  repo: 'Git repositories and wikis: list, read, clone, verify',
} as const satisfies Record<string, string>

export type GroupName = keyof typeof GROUPS

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

export const isGroupName = (name: string): name is GroupName => Object.hasOwn(GROUPS, name)

/** The commands of a group, in the order of the help. */
export const commandsOf = (group: GroupName): CommandName[] =>
  (Object.keys(COMMANDS) as CommandName[]).filter((name) => name.startsWith(`${group} `))

/** All commands, those of a group together. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

/** The first words of command lines: commands and groups, in the order of the help. */
export const FIRST_WORDS: readonly string[] = [
  ...new Set(Object.keys(COMMANDS).map((name) => name.split(' ')[0] as string)),
]

/** The summary of a command or group. */
export const summaryOf = (name: string): string =>
  isGroupName(name) ? GROUPS[name] : isCommandName(name) ? COMMANDS[name].summary : ''

/** A command without the types of its own options. */
export const commandNamed = async (name: CommandName): Promise<Command> =>
  (await COMMANDS[name].load()) as unknown as Command
