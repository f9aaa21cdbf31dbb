-- The results views: the only part of the database that dashboards read. docs/results.md says the same at length.
-- Rates follow semantics.md section 4.4. Names that begin with an underscore are internal and never granted.
-- views.install drops all of them first, so that a view's shape can change between versions.

-- One row per evaluation, profile and scope key, newest profile version only, with every derived share.
CREATE VIEW _result_newest AS
WITH newest AS (
    SELECT DISTINCT ON (evaluation_id, profile) evaluation_id, profile, profile_version
    FROM result
    ORDER BY evaluation_id, profile, string_to_array(profile_version, '.')::int[] DESC
)
SELECT
    e.snapshot,
    s.as_of,
    s.source,
    m.name AS model,
    starts_with(m.name, 'simulated/') AS simulated,
    m.model_id,
    m.model_sha,
    m.server_version,
    v.template || ' v' || v.version || ', ' || v.form || ', ' || v.context AS prompt,
    e.route,
    e.template,
    e.decoding,
    r.evaluation_id,
    r.profile,
    r.profile_version,
    r.scope,
    r.key,
    r.planned,
    r.delivered,
    1 - r.delivered::float8 / nullif(r.planned, 0) AS undelivered_share,
    r.rate AS hallucination_rate,
    r.rate_low,
    r.rate_high,
    r.rate AS band_low,
    r.band_high,
    (r.delivered - r.abstained - r.unparseable)::float8 / nullif(r.delivered, 0) AS answered_share,
    (r.error_knowledge + r.error_inference + r.both + r.unattributed)::float8
        / nullif(r.delivered - r.abstained - r.unparseable, 0) AS rate_among_answered,
    (r.right_sound + r.right_faulty)::float8 / nullif(r.delivered, 0) AS accuracy,
    (r.right_sound + r.right_faulty)::float8
        / nullif(r.delivered - r.abstained - r.unparseable, 0) AS accuracy_among_answered,
    r.said_yes::float8 / nullif(r.right_sound + r.right_faulty + r.wrong_sound + r.wrong_faulty, 0) AS yes_rate,
    r.normal,
    r.abstained,
    r.error_knowledge,
    r.error_inference,
    r.both AS both_errors,
    r.unattributed,
    r.unparseable,
    r.review,
    r.right_sound,
    r.right_faulty,
    r.wrong_sound,
    r.wrong_faulty,
    r.groups,
    r.design_effect
FROM result r
JOIN newest USING (evaluation_id, profile, profile_version)
JOIN evaluation e ON e.id = r.evaluation_id
JOIN snapshot s ON s.snapshot = e.snapshot
JOIN model m ON m.id = e.model_id
JOIN prompt_variant v ON v.id = e.variant_id;

CREATE VIEW results_by_model AS
SELECT
    n.snapshot, n.as_of, n.source, n.model, n.simulated, n.model_id, n.model_sha, n.server_version, n.prompt,
    n.route, n.template, n.decoding, n.evaluation_id, n.profile, n.profile_version,
    (
        SELECT array_agg(part.key ORDER BY part.key)
        FROM _result_newest part
        WHERE part.evaluation_id = n.evaluation_id AND part.profile = n.profile AND part.scope = 'suite'
            AND part.key IN ('relation', 'temporal')
    ) AS suites,
    n.planned, n.delivered, n.undelivered_share, n.hallucination_rate,
    n.rate_low, n.rate_high, n.band_low, n.band_high,
    macro.hallucination_rate AS macro_rate, macro.rate_low AS macro_low, macro.rate_high AS macro_high,
    n.answered_share, n.rate_among_answered, n.accuracy, n.accuracy_among_answered, n.yes_rate,
    n.normal, n.abstained, n.error_knowledge, n.error_inference, n.both_errors, n.unattributed, n.unparseable,
    n.review, n.right_sound, n.right_faulty, n.wrong_sound, n.wrong_faulty, n.groups, n.design_effect
FROM _result_newest n
LEFT JOIN _result_newest macro
    ON macro.evaluation_id = n.evaluation_id AND macro.profile = n.profile AND macro.scope = 'macro'
WHERE n.scope = 'model';

-- The same figures for one suite alone. Those of the headline add up to it; any other stands apart from it.
CREATE VIEW results_by_suite AS
SELECT
    snapshot, as_of, source, key AS suite, model, simulated, evaluation_id, profile, profile_version, planned,
    delivered, undelivered_share, hallucination_rate, rate_low, rate_high, band_low, band_high, answered_share,
    rate_among_answered, accuracy, accuracy_among_answered, yes_rate, normal, abstained, error_knowledge,
    error_inference, both_errors, unattributed, unparseable, review, right_sound, right_faulty, wrong_sound,
    wrong_faulty, groups, design_effect
FROM _result_newest
WHERE scope = 'suite';

CREATE VIEW results_by_domain AS
SELECT
    snapshot, as_of, source, key AS domain, model, simulated, evaluation_id, profile, profile_version, planned,
    delivered, undelivered_share, hallucination_rate, rate_low, rate_high, band_low, band_high, answered_share,
    rate_among_answered, accuracy, accuracy_among_answered, yes_rate, normal, abstained, error_knowledge,
    error_inference, both_errors, unattributed, unparseable, review, right_sound, right_faulty, wrong_sound,
    wrong_faulty, groups, design_effect
FROM _result_newest
WHERE scope = 'domain';

CREATE VIEW results_by_rule AS
SELECT
    snapshot, as_of, source, key AS rule_kind, model, simulated, evaluation_id, profile, profile_version, planned,
    delivered, undelivered_share, hallucination_rate, rate_low, rate_high, band_low, band_high, answered_share,
    rate_among_answered, accuracy, accuracy_among_answered, yes_rate, normal, abstained, error_knowledge,
    error_inference, both_errors, unattributed, unparseable, review, right_sound, right_faulty, wrong_sound,
    wrong_faulty, groups, design_effect
FROM _result_newest
WHERE scope = 'rule';

-- Consistency of a metamorphic group, as the stage of scoring judged it (semantics.md 4.3): needs no gold.
CREATE VIEW results_by_group AS
SELECT
    e.snapshot,
    m.name AS model,
    starts_with(m.name, 'simulated/') AS simulated,
    g.evaluation_id,
    c.suite,
    g.group_id,
    g.sample,
    g.members,
    g.decided,
    g.verdict,
    g.against
FROM group_verdict g
JOIN evaluation e ON e.id = g.evaluation_id
JOIN model m ON m.id = e.model_id
CROSS JOIN LATERAL (SELECT suite FROM cases WHERE group_id = g.group_id LIMIT 1) c;

-- What a participant without knowledge would score on the headline's questions, from the gold answers alone. A bare
-- answer lists no knowledge, so the paper's reading finds no structure in it (edge and node similarity 0).
CREATE VIEW results_baselines AS
WITH gold AS (
    SELECT b.snapshot, count(*) AS cases, avg((c.gold = 'yes')::int)::float8 AS yes
    FROM benchmark_case b
    JOIN benchmark_part p USING (snapshot, suite)
    JOIN cases c ON c.id = b.case_id
    WHERE p.published AND p.suite IN ('relation', 'temporal')
    GROUP BY b.snapshot
)
SELECT
    g.snapshot,
    p.profile,
    p.strategy,
    g.cases,
    CASE
        WHEN p.strategy = 'always refuse' THEN 0
        WHEN p.profile = 'paper/anchored' THEN 1
        WHEN p.strategy = 'coin' THEN 0.5
        ELSE 1 - g.yes
    END::float8 AS hallucination_rate,
    CASE p.strategy WHEN 'always refuse' THEN 0 WHEN 'coin' THEN 0.5 ELSE g.yes END::float8 AS accuracy,
    CASE p.strategy WHEN 'always refuse' THEN 0 ELSE 1 END::float8 AS answered_share,
    CASE p.strategy WHEN 'always refuse' THEN NULL WHEN 'coin' THEN 0.5 ELSE 1 END::float8 AS yes_rate
FROM gold g
CROSS JOIN (
    VALUES
        ('replay/syntax', 'always yes'), ('replay/syntax', 'coin'), ('replay/syntax', 'always refuse'),
        ('paper/anchored', 'always yes'), ('paper/anchored', 'coin'), ('paper/anchored', 'always refuse'),
        ('paper/anchored/answer-gated', 'always yes'), ('paper/anchored/answer-gated', 'coin'),
        ('paper/anchored/answer-gated', 'always refuse')
) AS p (profile, strategy);

CREATE VIEW incidents AS
SELECT id, at, snapshot, kind, "where", message, way_out
FROM incident;

-- The heartbeat of querying: a lane is one shard of an evaluation on its way through a model server. A lane that was
-- killed says nothing more, so silence is read off the clock.
CREATE VIEW lanes AS
SELECT
    e.snapshot,
    m.name AS model,
    starts_with(m.name, 'simulated/') AS simulated,
    l.evaluation_id,
    l.server,
    l.shard,
    l.shards,
    CASE WHEN l.state = 'asking' AND l.beat_at < now() - interval '30 seconds' THEN 'silent' ELSE l.state END AS state,
    l.total,
    l.done,
    l.dead,
    l.rate AS per_second,
    l.in_flight,
    l.allowed,
    l.failures AS failed_attempts,
    l.eta_seconds,
    l.message,
    l.started_at,
    l.beat_at
FROM lane l
JOIN evaluation e ON e.id = l.evaluation_id
JOIN model m ON m.id = e.model_id;

-- How far an oracle profile can be trusted: runs of `halluvault oracle study`, one row for all responses of a part and
-- one for those whose answer is right. A part that is kept back counts by its first run of a version alone.
CREATE VIEW oracle_trust AS
SELECT
    o.snapshot,
    o.part,
    left(o.oracle_hash, 16) AS oracle_version,
    r.report ->> 'profile' AS profile,
    r.report ->> 'version' AS profile_version,
    g.stratum,
    (f.figures ->> 'responses')::int AS responses,
    (f.figures ->> 'clusters')::int AS seed_facts,
    (f.figures #>> '{precision,rate}')::float8 AS precision,
    (f.figures #>> '{precision,low}')::float8 AS precision_low,
    (f.figures #>> '{precision,high}')::float8 AS precision_high,
    (f.figures #>> '{recall,rate}')::float8 AS recall,
    (f.figures #>> '{recall,low}')::float8 AS recall_low,
    (f.figures #>> '{recall,high}')::float8 AS recall_high,
    (f.figures #>> '{category,rate}')::float8 AS category_accuracy,
    (f.figures #>> '{category,low}')::float8 AS category_low,
    (f.figures #>> '{category,high}')::float8 AS category_high,
    (r.report #>> '{verbose,rate}')::float8 AS verbose_alarms,
    (r.report #>> '{verbose,low}')::float8 AS verbose_alarms_low,
    (r.report #>> '{verbose,high}')::float8 AS verbose_alarms_high,
    (f.figures ->> 'coverage')::float8 AS claims_linked,
    o.ran_at
FROM (
    SELECT DISTINCT ON (snapshot, part, oracle_hash) *
    FROM oracle_study
    WHERE part <> 'ablation'
    ORDER BY snapshot, part, oracle_hash, CASE WHEN part = 'kept_back' THEN ran_at END, ran_at DESC
) o
CROSS JOIN LATERAL jsonb_array_elements(o.figures -> 'reports') AS r (report)
CROSS JOIN (VALUES ('all', 'all'), ('right answer', 'right_answer')) AS g (stratum, key)
CROSS JOIN LATERAL (SELECT r.report -> g.key AS figures) AS f;

COMMENT ON VIEW results_by_model IS 'One row per evaluation and oracle profile: the headline of semantics.md 4.4.';
COMMENT ON VIEW results_by_suite IS 'The same figures per suite; the headline is over relation and temporal only.';
COMMENT ON VIEW results_by_domain IS 'The same figures per knowledge domain; hallucination_rate is of that domain alone.';
COMMENT ON VIEW results_by_rule IS 'The same figures per reasoning rule kind or temporal operator.';
COMMENT ON VIEW results_by_group IS 'Does a model answer all wordings of one fact consistently? Needs no gold answer.';
COMMENT ON VIEW results_baselines IS 'Always yes, a coin and always refusing on the same questions, from gold alone.';
COMMENT ON VIEW incidents IS 'Failed tasks, missed deadlines, failed gates: what happened and the way out.';
COMMENT ON VIEW lanes IS 'Where each shard of an evaluation stands: the newest run of it, as its heartbeat tells.';
COMMENT ON VIEW oracle_trust IS 'How often each oracle profile is right, on planted faults, not on model output.';
