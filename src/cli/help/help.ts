import { commandNamed, isCommandName, isGroupName } from '../commands.ts'
import { findCommand } from '../find-command.ts'
import { WIDTH, wrap } from '../output/format-columns.ts'
import { describeGroup } from './describe-commands.ts'
import { overview, topic } from './topics.ts'

/**
 * The text of `marc help <words>`: about a command, a group or a topic, or with --man the manual page; without words, about the
 * program. Throws `UsageError`.
 *
 * @param width columns of the terminal
 */
export async function helpOf(words: readonly string[], width: number): Promise<string> {
  const [about] = words
  if (about === '--man') return (await import('./describe-manual.ts')).describeManual()
  return narrowed(await textOf(about, words, width), width)
}

async function textOf(about: string | undefined, words: readonly string[], width: number) {
  if (about === undefined) return overview(width)
  if (!isCommandName(about) && !isGroupName(about)) return topic(about, width)
  const found = findCommand(words)
  if ('group' in found) return describeGroup(found.group, width)
  const { describeCommand } = await import('./describe-command.ts')
  return describeCommand(found.name, await commandNamed(found.name), width)
}

/** Wraps sentences again, which are written in lines of 80 columns. What has columns or is indented stays. */
const narrowed = (text: string, width: number): string =>
  width === WIDTH
    ? text
    : text
        .split('\n\n')
        .map((part) =>
          /^\s| {2}/m.test(part) ? part : wrap(part.replaceAll('\n', ' '), width).join('\n'),
        )
        .join('\n\n')
