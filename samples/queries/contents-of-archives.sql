-- What did each archive hold: records by kind, files by role, and how many problems there were?
SELECT a.name AS archive, s.kind AS what, sum(s.records) AS amount, sum(s.size) AS bytes
FROM shards AS s
JOIN archives AS a ON a.id = s.archive
GROUP BY a.id, s.kind
UNION ALL
SELECT a.name, f.role || ' files', count(*), sum(f.size)
FROM files AS f
JOIN archives AS a ON a.id = f.archive
GROUP BY a.id, f.role
UNION ALL
SELECT a.name, 'problem: ' || p.code, count(*), NULL
FROM problems AS p
JOIN archives AS a ON a.id = p.archive
GROUP BY a.id, p.code
ORDER BY 1, 4 DESC;
