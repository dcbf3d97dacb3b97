import type { Command } from './command.ts'

/** Every command by name, in the order of the help. Each is loaded when it is called, not before. */
export const COMMANDS = {
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  ls: async () => (await import('./commands/ls.ts')).ls,
  cat: async () => (await import('./commands/cat.ts')).cat,
  load: async () => (await import('./commands/load.ts')).load,
  tables: async () => (await import('./commands/tables.ts')).tables,
  schema: async () => (await import('./commands/schema.ts')).schema,
  query: async () => (await import('./commands/query.ts')).query,
  check: async () => (await import('./commands/check.ts')).check,
  build: async () => (await import('./commands/build.ts')).build,
} as const satisfies Record<string, () => Promise<unknown>>

export type CommandName = keyof typeof COMMANDS

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

/** A command without the types of its own options, to be handled like any other. */
export const commandNamed = async (name: CommandName): Promise<Command> =>
  (await COMMANDS[name]()) as unknown as Command
