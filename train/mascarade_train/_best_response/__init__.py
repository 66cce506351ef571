"""A lower bound on the exploitability of an agent: train a best response against copies of it.

It uses the settings, `_ppo.Learner` and `_rollouts.Collector` of self-play. The command is in
`mascarade_train._cli`. Each file may import those above it:

settings.py: `ResponseSettings`, and the list of trainings in a search
calibration.py: the share of the true gain that a search finds, from calibration.json
plain_network.py: convert the network of an agent, so that a response can start from it
training.py: one training of a response
checkpoints.py: save and resume a search
search.py: `best_response`: train several responses, choose the best, measure it
"""
