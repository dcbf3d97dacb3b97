import { newDice } from './dice.ts'
import { later } from './host.ts'

/** The subject of a series of events in the almanac. */
export type Plot = Station | Report | Question | Bump

interface Begin {
  /** The date of its first issue or pull request. */
  number: number
  at: string
  /** Who comes with it, and who takes care of it. */
  visitor: string
  keeper: string
  /** Makes details differ from plot to plot. */
  turn: number
}

/** Somebody asks for a station, and somebody adds it. */
export interface Station extends Begin {
  kind: 'station'
  name: string
  slug: string
  author: string
  minutes: number
  outcome: 'merged' | 'mended' | 'refused' | 'open'
}

/** Somebody finds that a station is wrong. */
export interface Report extends Begin {
  kind: 'report'
  station: Station
}

export interface Question extends Begin {
  kind: 'question'
}

/** The bot brings a newer version of something. */
export interface Bump extends Begin {
  kind: 'bump'
  outcome: 'merged' | 'refused' | 'open'
}

export const keepers = ['sanna-brook', 'kofi-meadow', 'jun-hale'] as const
const visitors = ['pia-storm', 'otto-fenn', 'lea-marsh', 'noor-castell', 'tam-birch', 'vera-quill']

const shores = [
  'Gull',
  'Marrow',
  'Otter',
  'Lantern',
  'Saltpan',
  'Heron',
  'Copper',
  'Whelk',
  'Quill',
]
const places = ['Rock', 'Head', 'Bay', 'Sound', 'Point', 'Haven']

const rhythm: readonly Plot['kind'][] = [
  'station',
  'report',
  'station',
  'question',
  'report',
  'station',
  'report',
  'station',
  'bump',
  'report',
  'station',
  'report',
  'question',
  'report',
]

/** Two years of the almanac, from the first of January 2022, a plot about every six days. */
export function planAlmanac(): Plot[] {
  const dice = newDice(7)
  const plots: Plot[] = []
  const stations: Station[] = []
  let number = 1
  for (let turn = 0; turn < 118; turn++) {
    const keeper = dice.pick(keepers)
    const visitor = dice.pick(visitors)
    const at = later('2022-01-01T06:00:00Z', turn * 8880 + dice.below(600) + dice.below(60) / 60)
    const begin = { number, at, visitor, keeper, turn }
    const isRecent = turn > 112
    const kind = rhythm[turn % rhythm.length] ?? 'report'
    if (kind === 'station') {
      const name = `${shores[stations.length % 9]} ${places[Math.floor(stations.length / 9)]}`
      const station: Station = {
        ...begin,
        kind,
        name,
        slug: name.toLowerCase().replace(' ', '-'),
        author: dice.pick([...keepers, ...visitors].filter((login) => login !== keeper)),
        minutes: dice.below(120) - 60,
        outcome: isRecent ? 'open' : dice.pick(['merged', 'merged', 'merged', 'mended', 'refused']),
      }
      stations.push(station)
      plots.push(station)
      number += 2
      continue
    }
    if (kind === 'report') plots.push({ ...begin, kind, station: dice.pick(stations) })
    if (kind === 'question') plots.push({ ...begin, kind })
    if (kind === 'bump') {
      const outcome = isRecent
        ? 'open'
        : dice.pick(['merged', 'merged', 'refused', 'open'] as const)
      plots.push({ ...begin, kind, outcome })
    }
    number++
  }
  return plots
}
