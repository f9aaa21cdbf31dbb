"""Cases and metamorphic groups as values, and the content ids that let a case persist from month to month."""
