import type { Command, Option } from '../command/command.ts'
import { acceptedFlags } from '../command/foreign-options.ts'

/** The words of a command line between the name of the command and the word to complete. */
export interface LineSoFar {
  /** Positional arguments. */
  placed: readonly string[]
  options: Readonly<Record<string, readonly string[]>>
  /** The option that the word is a value of, and the index of the value. */
  open?: { name: string; index: number } | undefined
  /** After `--` all words are positional. */
  onlyPlaces: boolean
}

/** Parses the words before the one to complete as the command would. */
export function readLine(command: Command, words: readonly string[]): LineSoFar {
  const flags = acceptedFlags(command)
  const placed: string[] = []
  const options: Record<string, string[]> = {}
  let open: LineSoFar['open']
  let onlyPlaces = false
  for (const word of words) {
    if (open && !(word.startsWith('-') && isBare(flags, open.name))) {
      options[open.name]?.push(word)
      open =
        open.index + 1 < wantedBy(flags, open.name) ? { ...open, index: open.index + 1 } : undefined
      continue
    }
    open = undefined
    if (onlyPlaces || !word.startsWith('-') || word === '-') {
      placed.push(word)
    } else if (word === '--') {
      onlyPlaces = true
    } else {
      const [typed = '', ...value] = word.split('=')
      const name = optionNameOf(flags, typed)
      if (name === undefined) continue
      options[name] ??= []
      if (word.includes('=')) options[name].push(value.join('='))
      else if (wantedBy(flags, name) > 0) open = { name, index: 0 }
    }
  }
  return { placed, options, open, onlyPlaces }
}

type Flags = readonly [name: string, option: Option][]

/** The option with the form `--name` or `-n`. */
export const optionNameOf = (flags: Flags, text: string): string | undefined =>
  flags.find(([name, { alias }]) => text === `--${name}` || text === `-${alias}`)?.[0]

const wantedBy = (flags: Flags, name: string): number => {
  const option = flags.find(([flag]) => flag === name)?.[1]
  return option?.type === 'boolean' ? 0 : (option?.nargs ?? 1)
}

const isBare = (flags: Flags, name: string) =>
  flags.some(([flag, { bare }]) => flag === name && bare)
