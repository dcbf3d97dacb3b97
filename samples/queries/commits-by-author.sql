-- Who wrote the commits, by repository and e-mail address, and over which period?
-- :repo repository = null, only this repository: owner/name
-- needs commits: marc repo index <database>
SELECT
  repository,
  author_email,
  max(author_name) AS name,
  count(*) AS commits,
  sum(parents LIKE '%,%') AS merges,
  substr(min(authored_at), 1, 10) AS first_seen,
  substr(max(authored_at), 1, 10) AS last_seen
FROM commits
WHERE :repo IS NULL OR repository = :repo
GROUP BY repository, author_email
ORDER BY repository, commits DESC, author_email;
