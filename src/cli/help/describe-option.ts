import type { Option } from '../command/command.ts'

/** An option in help and in the manual page: its name with the placeholder of its value, and its description. */
export function describeOption(
  name: string,
  { type, describe = '', value, bare, choices, default: standard }: Option,
): [name: string, description: string] {
  // An option that is on by default can only be turned off.
  const flag = standard === true ? `no-${name}` : name
  const placeholder = type === 'boolean' ? '' : ` ${value ?? `<${name}>`}`
  // A description may end with the default in words, such as [all].
  const [text = '', inWords = ''] = describe.split(/(?= \[[^[\]]+\]$)/)
  const description = choices ? `${text}: ${choices.join(', ')}` : text
  const shown = typeof standard === 'string' && !bare ? ` [${standard}]` : inWords
  return [`${flag}${placeholder}`, `${description}${shown}`]
}
