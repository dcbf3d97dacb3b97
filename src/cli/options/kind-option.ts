import type { Option } from '../command/command.ts'

/** The option `--kind` for these kinds. A kind may be typed in the singular or the plural. */
export const kindOption = (known: readonly string[]) =>
  ({
    type: 'string',
    array: true,
    nargs: 1,
    value: '<kind>',
    coerce: (text) =>
      known.find((name) => [name, pluralOf(name)].includes(text) || name === pluralOf(text)) ??
      text,
  }) as const satisfies Option

const pluralOf = (name: string): string => `${name.replace(/y$/, 'ie')}s`
