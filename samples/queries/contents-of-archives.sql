-- What does each archive contain: records by kind, files by role, problems?
WITH contents AS (
  SELECT archive, kind AS what, sum(records) AS amount, sum(size) AS bytes
  FROM record_files
  GROUP BY archive, kind
  UNION ALL
  SELECT archive, role || ' files', count(*), sum(size) FROM files GROUP BY archive, role
  UNION ALL
  SELECT archive, 'problem: ' || code, sum(times), NULL FROM problems GROUP BY archive, code
)
SELECT a.name AS archive, c.what, c.amount, c.bytes
FROM contents AS c
JOIN archives AS a ON a.id = c.archive
ORDER BY a.id, c.bytes DESC, c.what;
