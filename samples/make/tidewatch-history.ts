import type { Commit, Tag } from './git-repository.ts'

const readme = (...more: string[]) => `# Tidewatch 🌊

Prints the tide of a day.

    tidewatch gull-rock
${more.map((line) => `${line}\n`).join('')}`

const tides = `"""Predicts high and low water."""

from math import cos, radians


def height(station, hours):
    """Height above chart datum, in metres."""
    return station["mean"] + sum(
        part["height"] * cos(radians(part["speed"] * hours - part["phase"]))
        for part in station["parts"]
    )
`

const cli = (load: string, name: string, hour: string) => `import sys

from tidewatch.stations import load
from tidewatch.tides import height


def main():
    station = load(${load})
    print(${name})
    for hour in range(24):
        print(f"{${hour}} {height(station, hour):5.1f} m")
`

const chart = (width: number) => `"""Draws the tide as a curve."""

WIDTH = ${width}


def draw(heights):
    top = max(heights)
    for height in heights:
        yield "~" * round(WIDTH * max(height, 0) / top)
`

const stations = (missing: string) => `"""Reads stations from the almanac."""

import json
from pathlib import Path

ALMANAC = Path("almanac/stations")


def load(name):
    """The station of that name."""
    with open(ALMANAC / f"{name}.json") as file:
        station = json.load(file)
    station.setdefault("name", ${missing})
    return station
`

const warning = (limit: string) => `"""Warns before spring tides."""

LIMIT = ${limit}


def warn(heights):
    return max(heights) > LIMIT
`

const main = 'heads/main'

/** The history of tidewatch. The first attempt of a warning is in no ref any more. */
export const commits: readonly Commit[] = [
  {
    key: 'start',
    ref: main,
    author: 'kofi-meadow',
    at: '2022-01-03T12:00:00Z',
    message: 'Predict the height of the tide',
    files: { 'README.md': readme(), 'tidewatch/tides.py': tides },
  },
  {
    key: 'chart',
    ref: 'pull/2/head',
    author: 'jun-hale',
    at: '2022-02-11T20:15:00Z',
    message: 'Draw the tide as a curve',
    parents: ['start'],
    files: { 'tidewatch/chart.py': chart(200) },
  },
  {
    key: 'chart-narrow',
    ref: 'pull/2/head',
    author: 'jun-hale',
    at: '2022-02-13T09:40:00Z',
    message: 'Fit the curve into a terminal',
    files: { 'tidewatch/chart.py': chart(60) },
  },
  {
    key: 'merge-chart',
    ref: main,
    author: 'kofi-meadow',
    at: '2022-02-14T18:00:00Z',
    message: 'Merge pull request #2 from harbour-lights/curve\n\nDraw the tide as a curve',
    parents: ['start', 'chart-narrow'],
    files: { 'tidewatch/chart.py': chart(60) },
  },
  {
    key: 'load',
    ref: 'pull/5/head',
    author: 'pia-storm',
    at: '2022-05-28T14:00:00Z',
    message: 'Read stations from the almanac\n\nFixes #4.',
    parents: ['merge-chart'],
    files: {
      'tidewatch/stations.py': stations('"?"'),
      'tidewatch/cli.py': cli('sys.argv[1]', 'station["name"]', 'hour:02}:00'),
    },
  },
  {
    key: 'load-name',
    ref: 'pull/5/head',
    author: 'pia-storm',
    at: '2022-05-30T06:12:00Z',
    message: 'Name stations by their file if they have no name',
    files: { 'tidewatch/stations.py': stations('name') },
  },
  {
    key: 'merge-load',
    ref: main,
    author: 'sanna-brook',
    at: '2022-05-31T16:20:00Z',
    message: 'Merge pull request #5 from pia-storm/almanac\n\nRead stations from the almanac',
    parents: ['merge-chart', 'load-name'],
    files: {
      'tidewatch/stations.py': stations('name'),
      'tidewatch/cli.py': cli('sys.argv[1]', 'station["name"]', 'hour:02}:00'),
    },
  },
  {
    key: 'zone-guess',
    ref: 'pull/8/head',
    author: 'someone-else',
    at: '2022-11-02T02:03:04Z',
    message: 'add an hour in summer',
    parents: ['merge-load'],
    files: {
      'tidewatch/cli.py': cli('sys.argv[1]', 'station["name"]', 'hour + 1:02}:00'),
    },
  },
  {
    key: 'utc',
    ref: 'pull/9/head',
    author: 'kofi-meadow',
    at: '2022-11-06T11:11:11Z',
    message: 'Say that hours are UTC\n\nFixes #7.',
    parents: ['merge-load'],
    files: {
      'tidewatch/cli.py': cli('sys.argv[1]', 'station["name"], "(UTC)"', 'hour:02}:00'),
    },
  },
  {
    key: 'merge-utc',
    ref: main,
    author: 'sanna-brook',
    at: '2022-11-07T08:30:00Z',
    message: 'Merge pull request #9 from harbour-lights/utc\n\nSay that hours are UTC',
    parents: ['merge-load', 'utc'],
    files: {
      'tidewatch/cli.py': cli('sys.argv[1]', 'station["name"], "(UTC)"', 'hour:02}:00'),
    },
  },
  {
    key: 'port',
    ref: 'pull/12/head',
    author: 'otto-fenn',
    at: '2023-01-19T23:50:00Z',
    message: 'Begin a port to the browser',
    parents: ['merge-utc'],
    files: { 'web/index.html': '<!doctype html>\n<title>Tidewatch</title>\n<p>~~~~</p>\n' },
  },
  {
    key: 'warn-first',
    ref: 'pull/14/head',
    author: 'lea-marsh',
    at: '2023-09-14T17:00:00Z',
    message: 'Warn before spring tides',
    parents: ['merge-utc'],
    files: { 'tidewatch/warning.py': warning('5') },
  },
  {
    key: 'warn',
    ref: 'pull/14/head',
    author: 'lea-marsh',
    at: '2023-09-16T10:30:00Z',
    message: 'Warn before spring tides',
    parents: ['merge-utc'],
    files: { 'tidewatch/warning.py': warning('4.5  # metres, the height of the lowest quay') },
  },
]

export const tags: readonly Tag[] = [
  {
    name: 'v1.0.0',
    commit: 'merge-load',
    author: 'sanna-brook',
    at: '2022-06-01T09:00:00Z',
    message: 'Tidewatch 1.0',
  },
  {
    name: 'v1.1.0-rc.1',
    commit: 'merge-utc',
    author: 'sanna-brook',
    at: '2022-11-08T09:00:00Z',
    message: 'Tidewatch 1.1, to be tried out',
  },
]

/** The wiki, whose main branch is always called master. */
export const wikiCommits: readonly Commit[] = [
  {
    key: 'home',
    ref: 'heads/master',
    author: 'noor-castell',
    at: '2022-07-04T15:00:00Z',
    message: 'Initial Home page',
    files: { 'Home.md': '# Welcome aboard\n\n* [[How tides work]]\n' },
  },
  {
    key: 'tides',
    ref: 'heads/master',
    author: 'noor-castell',
    at: '2022-07-04T15:30:00Z',
    message: 'Created How tides work (markdown)',
    files: { 'How-tides-work.md': 'The moon pulls. The sun helps. 🌙☀️\n' },
  },
]
