"""A "No" that is measured instead of proved (semantics.md §1.10): how foils are drawn, and how often they would err.

In order: `ways` are those of a chain; `recorded` is what a snapshot states between items; `nearness` says which are
near, one object for each idea; `exclusion` knows what is never offered; `offers` draws from what is left; `hiding`
takes each true fact away and counts how often it would be offered as false; `missing` estimates how many true ones the
snapshot lacks; `measurement` puts both together; `classes` is what was found, as data (config/measured.yaml), from
which it is computed which classes may be asked; `measures` is what these offer on a snapshot.
"""
