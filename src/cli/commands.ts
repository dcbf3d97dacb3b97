import type { Command } from './command/command.ts'

/**
 * Every command by name, in the order of the help; a subcommand has its group's name before its own. Each is
 * loaded when it is called, not before.
 */
export const COMMANDS = {
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  ls: async () => (await import('./commands/ls.ts')).ls,
  cat: async () => (await import('./commands/cat.ts')).cat,
  load: async () => (await import('./commands/load.ts')).load,
  tables: async () => (await import('./commands/tables.ts')).tables,
  schema: async () => (await import('./commands/schema.ts')).schema,
  query: async () => (await import('./commands/query.ts')).query,
  search: async () => (await import('./commands/search.ts')).search,
  show: async () => (await import('./commands/show.ts')).show,
  check: async () => (await import('./commands/check.ts')).check,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  diff: async () => (await import('./commands/diff.ts')).diff,
  map: async () => (await import('./commands/map.ts')).map,
  redact: async () => (await import('./commands/redact.ts')).redact,
  build: async () => (await import('./commands/build.ts')).build,
  serve: async () => (await import('./commands/serve.ts')).serve,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  site: async () => (await import('./commands/site.ts')).site,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  shell: async () => (await import('./commands/shell.ts')).shell,
  completion: async () => (await import('./commands/completion.ts')).completion,
  'accounts user': async () => (await import('./commands/accounts/user.ts')).user,
  'accounts token': async () => (await import('./commands/accounts/token.ts')).token,
  'accounts organization': async () =>
    (await import('./commands/accounts/organization.ts')).organization,
  'accounts remove': async () => (await import('./commands/accounts/remove.ts')).remove,
  'accounts list': async () => (await import('./commands/accounts/list.ts')).list,
  'attachments list': async () => (await import('./commands/attachments/list.ts')).list,
  'attachments extract': async () => (await import('./commands/attachments/extract.ts')).extract,
  'attachments check': async () => (await import('./commands/attachments/check.ts')).check,
  'cache list': async () => (await import('./commands/cache/list.ts')).list,
  'cache clear': async () => (await import('./commands/cache/clear.ts')).clear,
  'migration start': async () => (await import('./commands/migration/start.ts')).start,
  'migration list': async () => (await import('./commands/migration/list.ts')).list,
  'migration status': async () => (await import('./commands/migration/status.ts')).status,
  'migration watch': async () => (await import('./commands/migration/watch.ts')).watch,
  'migration repos': async () => (await import('./commands/migration/repos.ts')).repos,
  'migration download': async () => (await import('./commands/migration/download.ts')).download,
  'migration delete': async () => (await import('./commands/migration/delete.ts')).deleteCommand,
  'migration unlock': async () => (await import('./commands/migration/unlock.ts')).unlock,
  'migration validate': async () => (await import('./commands/migration/validate.ts')).validate,
  'migration import': async () => (await import('./commands/migration/import.ts')).importCommand,
  'migration mannequins': async () =>
    (await import('./commands/migration/mannequins.ts')).mannequins,
  'migration authorize': async () => (await import('./commands/migration/authorize.ts')).authorize,
  'repo list': async () => (await import('./commands/repo/list.ts')).list,
  'repo refs': async () => (await import('./commands/repo/refs.ts')).refs,
  'repo log': async () => (await import('./commands/repo/log.ts')).log,
  'repo show': async () => (await import('./commands/repo/show.ts')).show,
  'repo diff': async () => (await import('./commands/repo/diff.ts')).diff,
  'repo blame': async () => (await import('./commands/repo/blame.ts')).blame,
  'repo grep': async () => (await import('./commands/repo/grep.ts')).grep,
  'repo cat': async () => (await import('./commands/repo/cat.ts')).cat,
  'repo merge-base': async () => (await import('./commands/repo/merge-base.ts')).mergeBase,
  'repo index': async () => (await import('./commands/repo/index-commits.ts')).indexCommits,
  'repo clone': async () => (await import('./commands/repo/clone.ts')).clone,
  'repo archive': async () => (await import('./commands/repo/archive.ts')).archive,
  'repo fsck': async () => (await import('./commands/repo/fsck.ts')).fsck,
} as const satisfies Record<string, () => Promise<unknown>>

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

/** The first words of command lines: commands and groups, in the order of the help. */
export const FIRST_WORDS: readonly string[] = [
  ...new Set(Object.keys(COMMANDS).map((name) => name.split(' ')[0] as string)),
]

/** A command without the types of its own options. */
export const commandNamed = async (name: CommandName): Promise<Command> =>
  (await COMMANDS[name]()) as unknown as Command
