import type { Relation } from './relation.ts'

const columns = {
  repository: 'owner/name, or owner/name.wiki for a wiki.',
  url: 'URL of the repository record; NULL without one.',
  is_wiki: '1 for a wiki.',
  state: 'present, empty (no objects) or missing (a record refers to Git data not in the archive).',
  default_branch: 'Default branch according to the record.',
  head: 'Target of HEAD; NULL if HEAD is detached or missing.',
  head_oid: 'Commit of HEAD; NULL for an unborn branch.',
  refs: 'Number of refs that name an object, without HEAD.',
  branches: 'Number of branches with commits.',
  tags: 'Number of tags.',
  size: 'Bytes of all its files.',
  files: 'Number of its files.',
  packs: 'Number of packs.',
  objects: 'Number of packed and loose objects, duplicates included.',
  loose_objects: 'Number of loose objects.',
}

const HEX = '[0-9a-f]'
const LOOSE = `path GLOB '*.git/objects/${HEX}${HEX}/${HEX.repeat(38)}*'`
const PREFIX = 'tarball://root/repositories/'

const SELECT = `WITH
named AS (
  SELECT substr(address, ${PREFIX.length + 1}, length(address) - ${PREFIX.length + 4}) AS repository,
    url, is_wiki, default_branch
  FROM (
    SELECT git_url AS address, url, 0 AS is_wiki, default_branch FROM repositories
    UNION ALL SELECT wiki_url, url, 1, NULL FROM repositories)
  WHERE address GLOB '${PREFIX}?*.git'),
stored AS (
  SELECT repository, sum(size) AS size, count(*) AS files,
    count(*) FILTER (WHERE path GLOB '*.git/objects/pack/*.pack') AS packs,
    count(*) FILTER (WHERE ${LOOSE}) AS loose_objects
  FROM files WHERE repository IS NOT NULL GROUP BY repository),
packed AS (
  SELECT repository, sum(objects) AS objects FROM git_packs
  WHERE path GLOB '*.pack' GROUP BY repository),
counted AS (
  SELECT repository, count(*) FILTER (WHERE name <> 'HEAD') AS refs,
    count(*) FILTER (WHERE name GLOB 'refs/heads/*') AS branches,
    count(*) FILTER (WHERE name GLOB 'refs/tags/*') AS tags
  FROM refs WHERE oid IS NOT NULL GROUP BY repository)
SELECT r.repository, min(named.url) AS url,
  coalesce(min(named.is_wiki), r.repository GLOB '*.wiki') AS is_wiki,
  CASE WHEN stored.files IS NULL THEN 'missing'
    WHEN stored.packs + stored.loose_objects = 0 THEN 'empty' ELSE 'present' END AS state,
  named.default_branch AS default_branch,
  head.target AS head, head.oid AS head_oid,
  coalesce(counted.refs, 0) AS refs, coalesce(counted.branches, 0) AS branches,
  coalesce(counted.tags, 0) AS tags,
  coalesce(stored.size, 0) AS size, coalesce(stored.files, 0) AS files,
  coalesce(stored.packs, 0) AS packs,
  coalesce(packed.objects, 0) + coalesce(stored.loose_objects, 0) AS objects,
  coalesce(stored.loose_objects, 0) AS loose_objects
FROM (SELECT repository FROM stored UNION SELECT repository FROM named) AS r
LEFT JOIN stored ON stored.repository = r.repository
LEFT JOIN named ON named.repository = r.repository
LEFT JOIN packed ON packed.repository = r.repository
LEFT JOIN counted ON counted.repository = r.repository
LEFT JOIN refs AS head ON head.repository = r.repository AND head.name = 'HEAD'
GROUP BY r.repository`

/** Facts about Git repositories from their records, files and refs. */
export const GIT_VIEWS: readonly Relation[] = [
  {
    name: 'git_repositories',
    type: 'view',
    summary: 'The Git repositories: size, objects and refs, and what their records say.',
    columns: Object.entries(columns).map(([name, description]) => ({
      name,
      type: '',
      description,
      ...(name === 'url' && { refersTo: ['repositories'] }),
    })),
    select: SELECT,
  },
]
